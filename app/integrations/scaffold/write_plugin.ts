import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/*
 * New plugins begin as the kit's template, which is a plugin that works: it is compiled and tested
 * like everything else here, so that what is written from it passes as it is.
 */

/** Of the template, what lies beside the plugin itself when it is a package of its own. */
const SOURCE = 'src/'

interface NewPlugin {
  /** As `id` of the manifest. */
  id: string
  /** A folder that is not there yet, or empty. */
  to: string
  /** A package of its own, or a folder of the service. */
  isPackage: boolean
  /** Where the template lies. */
  template: string
}

/** The folder has something in it. */
export class FolderTaken extends Error {}

/**
 * Writes a plugin with manifest, a capability, fake, fixtures and conformance spec.
 * @returns the paths below the folder
 * @throws FolderTaken
 */
export async function writePlugin(plugin: NewPlugin): Promise<string[]> {
  const there = await readdir(plugin.to).catch(() => [])
  if (there.length > 0) throw new FolderTaken(`${plugin.to} has something in it.`)
  const names = await readdir(plugin.template, { recursive: true, withFileTypes: true })
  const files = names
    .filter((each) => each.isFile() && each.name !== 'conformance.json')
    .map(({ parentPath, name }) => join(parentPath, name).slice(plugin.template.length + 1))
    .filter((path) => plugin.isPackage || path.startsWith(SOURCE))
    .sort()
  const written: string[] = []
  for (const path of files) {
    const target = targetOf(path, plugin)
    const text = await readFile(join(plugin.template, path), 'utf8')
    await mkdir(dirname(join(plugin.to, target)), { recursive: true })
    await writeFile(join(plugin.to, target), renamed(text, plugin))
    written.push(target)
  }
  return written
}

/** The README of a package lies at its top. */
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

/** `launch-darkly` as `LaunchDarkly`. */
function classNameOf(id: string): string {
  return id
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}
