import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'
import { LONG } from './support/effort.js'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

interface PackageManifest {
  name: string
  dependencies: Record<string, string>
  devDependencies?: Record<string, string>
}

/** Links an installed package into the `node_modules` of a folder, as npm would install it. */
function link(name: string, place: string) {
  const at = join(place, 'node_modules', name)
  if (existsSync(at)) return
  mkdirSync(dirname(at), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), at)
}

/** Builds and packs a copy of a package, and installs the tarball. @returns its name */
function install(folder: string, place: string): string {
  const copy = join(place, folder)
  cpSync(join(ROOT, folder), copy, {
    recursive: true,
    filter: (path) => !/\/(build|tests|node_modules)$/.test(path),
  })
  const manifest: PackageManifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))
  const { name, dependencies, devDependencies } = manifest
  for (const each of Object.keys({ ...dependencies, ...devDependencies })) link(each, place)
  const env = { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` }
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: copy, env, encoding: 'utf8' }).trim()
  run('npm', 'run', '--silent', 'build')
  const tarball = run('npm', 'pack', '--silent', '--pack-destination', place)
  const at = join(place, 'node_modules', name)
  mkdirSync(at, { recursive: true })
  run('tar', 'xzf', join(place, tarball), '--strip-components=1', '-C', at)
  return name
}

/** Loads every part of a plugin, as the service does, and its fake. */
const LOAD = `
import { existsSync } from 'node:fs'
const name = process.argv.at(-1)
const { default: plugin } = await import(name)
const { lifecycle, capabilities, conformance } = plugin
for (const load of [lifecycle, ...Object.values(capabilities)]) await load()
await import(name + '/fake')
process.stdout.write(existsSync(conformance) ? 'loaded' : 'without its conformance.json')
`

test.group('Packed plugins', () => {
  test('each is built from its folder, packed, and loaded with the kit alone', async ({
    assert,
    cleanup,
  }) => {
    const place = mkdtempSync(join(tmpdir(), 'tarmac-plugins-'))
    cleanup(() => rmSync(place, { recursive: true }))
    link('@adonisjs/tsconfig', place)
    link('@types/node', place)
    install('packages/plugin-kit', place)
    const folders = globSync('plugins/*', { cwd: ROOT })
    assert.isNotEmpty(folders)
    for (const folder of folders) {
      const name = install(folder, place)
      const args = ['--input-type=module', '--eval', LOAD, name]
      const output = execFileSync(process.execPath, args, { cwd: place, encoding: 'utf8' })
      assert.equal(output, 'loaded', name)
    }
  })
    .timeout(240_000)
    .tags([LONG])
})
