import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'

/*
 * bin/prune.js keeps the packages that the service needs, and no others. `npm run test:container`
 * tries in an image that everything runs with them.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const readJson = (path: string) => JSON.parse(read(path)) as Record<string, object>

interface Prune {
  keptPackages(root: object, packages: object): Set<string>
  isLeftOut(place: string, file: string): boolean
  filesOf(folder: string): Iterable<string>
}
const prune = (await import(new URL('../bin/prune.js', import.meta.url).href)) as Prune

const root = readJson('package.json')
const packages = readJson('package-lock.json').packages as Record<string, { link?: true }>
const kept = prune.keptPackages(root, packages)
/** Packages for other machines are in the lock file alone. */
const keptHere = [...kept].filter((place) => existsSync(join(ROOT, place)) && !packages[place].link)

/** The code of the service, without what only tests and development start. */
const SOURCES = '{app,bin,config,database,packages,plugins,providers,start}/**/*.{ts,js}'
const OTHERS =
  /\/(tests|template)\/|^bin\/test|\/testing\.ts$|^plugins\/\w+\/(bin|src\/fake)\/|^packages\/(cli|client)\//

/** An import that loads a package at run time; type imports are erased. */
const IMPORT =
  /^(?:import (?!type\b)[^'"]*|\} from |.*\bimport\(|.*\brequire\()'((?:@[\w.-]+\/)?\w[\w.-]*)/gm

function importedPackages(): Map<string, string> {
  const imported = new Map<string, string>()
  for (const path of globSync(SOURCES, { cwd: ROOT }).filter((each) => !OTHERS.test(each))) {
    for (const [, name] of read(path).matchAll(IMPORT)) {
      if (existsSync(join(ROOT, 'node_modules', name))) imported.set(name, path)
    }
  }
  return imported
}

test.group('The packages of an installed service', () => {
  test('include every package that the code imports', ({ assert }) => {
    const imported = importedPackages()
    for (const each of ['pg', 'sharp', '@adonisjs/core', '@swc/core', 'yauzl', '@octokit/core'])
      assert.isTrue(imported.has(each), each)
    const missing = [...imported].filter(([name]) => !kept.has(`node_modules/${name}`))
    assert.deepEqual(missing, [])
  })

  test('include none that only developers need', ({ assert }) => {
    const heavy = ['typescript', 'ts-morph', '@ast-grep/napi', '@faker-js/faker', '@redis/client']
    const ofClients = ['@tarmac/client', '@tarmac/cli', 'openapi-fetch']
    for (const each of [...heavy, ...ofClients, ...Object.keys(root.devDependencies)]) {
      assert.isTrue(`node_modules/${each}` in packages, each)
      assert.isFalse(kept.has(`node_modules/${each}`), each)
    }
  })

  test('are no larger than docs/how-to/run-the-service.md says', ({ assert }) => {
    const row = /^\| Production dependencies, beside Node \| at most (\d+) MB/m
    const [, maxMegabytes] = row.exec(read('docs/how-to/run-the-service.md')) ?? []
    let bytes = 0
    for (const place of keptHere.filter((each) => !/\/node-linux-\w+$/.test(each))) {
      for (const file of prune.filesOf(join(ROOT, place)))
        if (!prune.isLeftOut(place, file)) bytes += statSync(join(ROOT, place, file)).size
    }
    assert.isAbove(bytes, 50e6)
    assert.isBelow(bytes, Number(maxMegabytes) * 1e6)
  })
})
