// Pictures of every page in every look, for people to look at. Made only where
// TIDEMARK_SHOTS names a folder.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { open, settled, watched, type House, type Look } from './browser';
import { paths } from './paths';

const folder = process.env['TIDEMARK_SHOTS'] ?? '';
const looks: Look[] = [
  { theme: 'light', lang: 'en', width: 1280 },
  { theme: 'dark', lang: 'en', width: 1280 },
  { theme: 'light', lang: 'zh', width: 1280 },
  { theme: 'dark', lang: 'zh', width: 860 },
  { theme: 'light', lang: 'en', width: 400 },
];

describe.skipIf(folder === '')('pictures', () => {
  let house: House;
  beforeAll(async () => {
    house = await open();
  });
  afterAll(() => house.close());

  for (const look of looks) {
    it(`${look.theme} ${look.lang} ${look.width}`, async () => {
      const { page } = await watched(house, look);
      for (const [name, path] of Object.entries(await paths(house))) {
        await page.goto(new URL(path, house.url).href);
        await settled(page);
        await page.screenshot({ path: join(folder, `${name}-${look.theme}-${look.lang}-${look.width}.png`), fullPage: look.width < 640 });
      }
      await page.close();
    });
  }
});
