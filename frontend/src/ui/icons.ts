// The icons of the product, from Lucide; one line for each, so that the build
// holds no other.

import {
  ArrowDown, ArrowUp, Bot, ChartColumn, Check, ChevronDown, ChevronRight, ChevronsDown, ChevronsUp, Coins, Copy, Download, ExternalLink,
  Image, Keyboard, Languages, MessagesSquare, Moon, Radio, RefreshCw, Search, Shrink, Stethoscope, Sun, SunMoon, Table2, TriangleAlert,
  Users, Waves, Wrench, X, CalendarDays, Settings2, Pause, Play, FolderOpen, FlaskConical, CornerDownLeft,
  Quote, Pin, PinOff, Pencil, Trash2, Undo2, UserRound, CircleQuestionMark,
} from 'lucide';
import type { IconNode } from 'lucide';

export const icons = {
  today: Waves, sessions: MessagesSquare, compactions: Shrink, costs: Coins, problems: Stethoscope, agents: Users, agent: Bot,
  up: ArrowUp, down: ArrowDown, right: ChevronRight, open: ChevronDown, first: ChevronsUp, last: ChevronsDown, check: Check, copy: Copy,
  download: Download, external: ExternalLink, image: Image, keyboard: Keyboard, language: Languages, light: Sun, dark: Moon, system: SunMoon,
  live: Radio, refresh: RefreshCw, search: Search, table: Table2, chart: ChartColumn, warning: TriangleAlert, tool: Wrench, close: X, days: CalendarDays,
  settings: Settings2, pause: Pause, resume: Play, folder: FolderOpen, sample: FlaskConical, enter: CornerDownLeft,
  statements: Quote, pin: Pin, unpin: PinOff, edit: Pencil, forget: Trash2, undo: Undo2, contact: UserRound, unsure: CircleQuestionMark,
} as const satisfies Record<string, IconNode>;

export type IconName = keyof typeof icons;
