import { compareTexts } from '../../foundation/core/compare_texts.js'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Kind } from '#plugin-kit/kinds'
import { capabilityOf, EXAMPLE_KIND, isOfKind, textOfKind } from './template_of_kind.js'

/*
 * New plugins start from the kit's template, which is a working chat plugin: it is compiled and
 * tested like all code here, so that a chat plugin made from it passes its tests as it is. For
 * another kind the methods are left to the author, and the conformance suite says what is missing.
 */

/** Folder of the template for files of a stand-alone package. */
const SOURCE = 'src/'

interface NewPlugin {
  /** As `id` of the manifest. */
  id: string
  kind: Kind
  /** A folder that does not exist yet, or is empty. */
  to: string
  /** A package of its own, or a folder of the service. */
  isPackage: boolean
  /** Path of the template. */
  template: string
}

/** The folder is not empty. */
export class FolderTaken extends Error {}

/**
 * Writes a plugin with manifest, a capability, fake, fixtures and conformance spec.
 * @returns the paths below the folder
 * @throws FolderTaken
 */
export async function writePlugin(plugin: NewPlugin): Promise<string[]> {
  const existing = await readdir(plugin.to).catch(() => [])
  if (existing.length > 0) throw new FolderTaken(`${plugin.to} is not empty.`)
  const names = await readdir(plugin.template, { recursive: true, withFileTypes: true })
  const files = names
    .filter((each) => each.isFile() && each.name !== 'conformance.json')
    .map(({ parentPath, name }) => join(parentPath, name).slice(plugin.template.length + 1))
    .filter((path) => plugin.isPackage || path.startsWith(SOURCE))
    .filter((path) => isOfKind(path, plugin.kind))
    .map(async (path) => {
      const text = await readFile(join(plugin.template, path), 'utf8')
      return { path, text: textOfKind(text, plugin.kind) }
    })
  const all = await Promise.all(files)
  if (plugin.kind !== EXAMPLE_KIND) {
    const { path, text } = capabilityOf(plugin.kind)
    all.push({ path: join(SOURCE, path), text })
  }
  const written: string[] = []
  for (const { path, text } of all.sort(byPath)) {
    const target = targetOf(path, plugin)
    await mkdir(dirname(join(plugin.to, target)), { recursive: true })
    await writeFile(join(plugin.to, target), renamed(text, plugin))
    written.push(target)
  }
  return written
}

const byPath = (one: { path: string }, other: { path: string }) =>
  compareTexts(one.path, other.path)

/** Returns the path of a file in the plugin; the README of a package is at its top. */
function targetOf(path: string, { isPackage }: NewPlugin): string {
  const inside = path.startsWith(SOURCE) ? path.slice(SOURCE.length) : path
  const isOnTop = !isPackage || inside === 'README.md'
  return (isOnTop ? inside : path).replace(/\.stub$/, '')
}

function renamed(text: string, { id, isPackage }: NewPlugin): string {
  const named = text.replaceAll('Acme', classNameOf(id)).replaceAll('acme', id)
  if (!isPackage) return named
  return named
    .replaceAll(`'#plugin-kit/index'`, `'@tarmac/plugin-kit'`)
    .replaceAll(/'#plugin-kit\/(\w+)'/g, `'@tarmac/plugin-kit/$1'`)
}

/** Turns `launch-darkly` into `LaunchDarkly`. */
function classNameOf(id: string): string {
  return id
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}
