import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { instance } from '@viz-js/viz'

/*
 * Draws docs/diagrams, which are text, into docs/images: `npm run docs:reference`.
 */

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))

/** Returns the SVG of each diagram by the path of its image. */
export async function drawn(): Promise<ReadonlyMap<string, string>> {
  const viz = await instance()
  const all = new Map<string, string>()
  for (const name of globSync('diagrams/*.dot', { cwd: DOCS })) {
    const svg = viz.renderString(await readFile(DOCS + name, 'utf8'), { format: 'svg' })
    all.set(`${DOCS}images/${basename(name, '.dot')}.svg`, svg)
  }
  return all
}

/** Writes the images of all diagrams. */
export async function draw(): Promise<void> {
  for (const [path, svg] of await drawn()) await writeFile(path, svg)
}
