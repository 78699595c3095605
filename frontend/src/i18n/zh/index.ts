import type { Key } from '../keys';
import type { Message } from '../message';
import { costs } from './costs';
import { frame } from './frame';
import { hints } from './hints';
import { lists } from './lists';
import { problems } from './problems';
import { session } from './session';
import { settings } from './settings';
import { statements } from './statements';
import { tide } from './tide';
import { today } from './today';

/** 简体中文。键与英文相同，缺一个就编译不过。 */
export const zh: Record<Key, Message> = { ...frame, ...lists, ...session, ...costs, ...problems, ...hints, ...today, ...settings, ...tide, ...statements };
