import { readdir, readFile } from 'node:fs/promises'
import { UsageError } from '#foundation/console/usage_error'

/*
 * The scenarios that come with the service, by the names of their files.
 */

const FOLDER = new URL('./box/', import.meta.url)

/** Returns the names, sorted. */
export async function namesInBox(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files.flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -5)] : [])).sort()
}

/** Reads the file of a scenario by its name; null if there is none. */
export async function fromBox(name: string): Promise<Buffer | null> {
  const names = await namesInBox()
  return names.includes(name) ? readFile(new URL(`${name}.yaml`, FOLDER)) : null
}

/** Reads a scenario of the box by its name, or a file. @throws UsageError if there is neither */
export async function scenarioFile(nameOrFile: string): Promise<Buffer> {
  const known = await fromBox(nameOrFile)
  if (known) return known
  try {
    return await readFile(nameOrFile)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const names = (await namesInBox()).join(', ')
    throw new UsageError(
      code === 'ENOENT'
        ? `"${nameOrFile}" is not a file and not a built-in scenario: ${names}.`
        : `"${nameOrFile}" cannot be read (${code}), and is not a built-in scenario: ${names}.`
    )
  }
}
