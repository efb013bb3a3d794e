import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The commands that build a package into a folder. */
const BUILDS = {
  client: (out: string) => [
    ['packages/client/generate.js'],
    ['node_modules/.bin/tsgo', '-p', 'packages/client/tsconfig.json', '--outDir', out],
  ],
  cli: (out: string) => [['packages/cli/build.js', out]],
}

/**
 * Builds and packs a package in a folder of its own, since tests run in several processes, and
 * unpacks its tarball into another one.
 * @returns the path of the tarball
 */
export async function unpackPacked(
  name: keyof typeof BUILDS,
  folder: string,
  unpacked: string
): Promise<string> {
  const packed = join(folder, 'packed')
  for (const file of ['package.json', 'README.md'])
    cpSync(join(ROOT, 'packages', name, file), join(packed, file))
  for (const args of BUILDS[name](join(packed, 'build')))
    await run(process.execPath, args, { cwd: ROOT })
  const packing = ['pack', '--silent', '--pack-destination', folder]
  const { stdout } = await run('npm', packing, { cwd: packed })
  const tarball = join(folder, stdout.trim())
  await run('tar', ['xzf', tarball, '--strip-components=1', '-C', unpacked])
  return tarball
}
