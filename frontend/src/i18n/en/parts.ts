// The parts of the catalogue, each for some of the views.

export { costs } from './costs';
export { frame } from './frame';
export { hints } from './hints';
export { lists } from './lists';
export { problems } from './problems';
export { session } from './session';
export { statements } from './statements';
export { settings } from './settings';
export { tide } from './tide';
export { today } from './today';
