// Files that a person saves: the browser's download, or the window's dialog.

import { host } from '../api/client';

/** Saves a text under a name that the person may change. */
export function saveText(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const { window } = host();
  if (window) {
    void window.save(name, text);
    return;
  }
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
