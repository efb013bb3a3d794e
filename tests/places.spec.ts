import { test } from '@japa/runner'
import { code, lines } from './support/code.js'
import { parse, readKept, type Source } from './support/sources.js'

/*
 * Some things are done in one place only: asking for the time, reaching rows, beginning transactions,
 * storing files and changing stores.
 */

/** Files that may do more on a disk than read and remove, each with what it does there. */
const ON_DISK: Readonly<Record<string, string>> = {
  'app/foundation/core/files/folder_store.ts': 'stores files in a folder',
  'app/foundation/core/files/part_files.ts': 'keeps the received parts of uploads',
  'app/foundation/core/files/s3_store.ts': 'reads what it sends',
  'app/foundation/core/files/spool.ts': 'keeps files until they are stored',
  'app/foundation/core/database/sqlite_large_commits.ts': 'syncs written data to the disk',
  // Commands write what somebody at the console asks for.
  'app/foundation/service/openapi_write.ts': 'writes the document',
  'app/integrations/commands/make_integration.ts': 'names a new plugin in the settings',
  'app/integrations/scaffold/write_plugin.ts': 'writes a new plugin',
  'app/releases/commands/release_evidence.ts': 'writes the evidence of a release',
  // Git works in folders.
  'app/integrations/providers/git/lifecycle.ts': 'tries an empty folder',
  'app/integrations/providers/git/mirror/copies.ts': 'keeps copies of repositories',
  'app/integrations/providers/git/remote/access.ts': 'gives keys to git in files',
  'app/simulation/rehearsal/git_folder.ts': 'works as people do, in a copy of its own',
  'app/simulation/rehearsal/run_apart.ts': 'makes a home for a rehearsal, and removes it',
}

/** Functions that read or remove files. */
const READING = new Set([
  'FileHandle',
  'access',
  'closeSync',
  'constants',
  'createReadStream',
  'fstatSync',
  'lstat',
  'opendir',
  'readFile',
  'readFileSync',
  'readSync',
  'readdir',
  'readdirSync',
  'realpath',
  'rm',
  'stat',
])

/** Returns the files that import anything of the file system beyond reading and removing. */
const onDisk = (files: readonly Source[]) =>
  files
    .filter(({ imports }) =>
      imports.some(
        ({ target, names }) =>
          /^(node:)?fs(\/promises)?$/.test(target) &&
          (names.size === 0 || [...names.values()].some((name) => !READING.has(name)))
      )
    )
    .map(({ path }) => path)

/** Returns the files with more than 400 lines. */
const tooLong = (files: readonly { path: string; text: string }[]) =>
  files.filter(({ text }) => text.split('\n').length > 400).map(({ path }) => path)

/** Calls that change a store. */
const CHANGES_STORE = /\.(prepare|submit|cancelReview|release|setRollout)\(/

/** Returns the files that call a store and change it, except plugins, which carry out the calls. */
const changingStores = (files: readonly Pick<Source, 'path' | 'text'>[]) =>
  files
    .filter(({ path }) => !/^app\/(simulation|integrations\/providers)\//.test(path))
    .filter(({ text }) => /\bAppStore\b|'appStore'|\b(askStore|askProvider)\b/.test(text))
    .filter(({ text }) => CHANGES_STORE.test(text))
    .map(({ path }) => path)

/** Returns the files that import something by its name. */
const importing = (name: string) =>
  code
    .filter(({ imports }) => imports.some(({ names }) => [...names.values()].includes(name)))
    .map(({ path }) => path)

/** Some files outside of the service's code, which are limited in length, too. */
const SUPPORT = [
  'app/foundation/jobs/tests/support/stage.ts',
  'app/planning/tests/support.ts',
  'benchmarks/run.ts',
  'bin/start.js',
  'packages/plugin-kit/tests/broken/sample.ts',
  'tests/architecture.spec.ts',
  'tests/support/sources.ts',
]

test.group('places', () => {
  test('only the database room begins transactions', ({ assert }) => {
    assert.deepEqual(lines(/\.transaction\(/, /^app\/foundation\/core\/database\//), [])
  })

  test('only the clock asks the machine for the time', ({ assert }) => {
    const asking = /\bnew Date\(\s*\)|\bDate\.now\(|\bDateTime\.(now|local|utc)\(\s*\)/
    // File times come from the machine's clock, whatever the service's clock says.
    const exempt =
      /^app\/(foundation\/core\/clock|integrations\/providers\/git\/remote\/(path_repository|folder_version))\.ts$/
    assert.deepEqual(lines(asking, exempt), [])
  })

  test('tenant rows are reached through a scope', ({ assert }) => {
    const models = code.flatMap(({ text }) =>
      [...text.matchAll(/export default class (\w+) extends modelOf\(/g)].map(([, name]) => name)
    )
    assert.includeMembers(models, ['App', 'Group', 'Release'])
    const reaching = new RegExp(
      `\\b(${models.join('|')})\\.(query|find\\w*|first\\w*|all|create\\w*|updateOrCreate\\w*|fetchOrCreate\\w*)\\(`
    )
    assert.deepEqual(lines(reaching), [])
  })

  test('files are stored in one place, outside of transactions', ({ assert }) => {
    const storing = /\.(put|putStream|copyFromFs|moveFromFs)\(|\b(createWriteStream|appendFile)\(/
    const places =
      /^app\/(foundation\/core\/files\/(spool|stored_files|storage_marks|folder_store|s3_store)\.ts$|pages\/session\/)/
    // `put` of a session stores no file.
    assert.deepEqual(lines(storing, places), [])
    assert.sameMembers(onDisk(code), Object.keys(ON_DISK))
    // An action runs inside a transaction, so its files are stored before.
    assert.deepEqual(
      lines(
        /\b(storeFile|storeIcon|storeUpload|receiveFile|receiveAdditionalFile)\(/,
        /\/(stored_files|store_icon|routes|fetch_icon|read_on_command|fetch_artifact)\.ts$|\/routes\//
      ),
      []
    )
  })

  test('only the worker that reconciles a store changes it', ({ assert }) => {
    assert.deepEqual(changingStores(code), ['app/stores/work/make_call.ts'])
    assert.deepEqual(importing('makeCall'), ['app/stores/work/reconcile_store.ts'])
    assert.deepEqual(importing('beginCall'), ['app/stores/work/reconcile_store.ts'])
    // Decisions about a store are made under its lock, in its record.
    const deciding = /\b(decideStage|decideRollout|stopTakeoff|stopProgress)\(\s*record\b/
    const places = /^app\/stores\/(actions\/\w+|reconciler\/\w+|begin_in_stores)\.ts$/
    assert.deepEqual(lines(deciding, places), [])
  })

  test('a file that changes a store is detected, however it calls the store', ({ assert }) => {
    for (const [text, isFound] of [
      [`askStore(entry, context, 'appStore', (shop) => shop.release(ref, how))`, true],
      [`const halt = (play: AppStore) => play.setRollout(ref, { action: 'halt' }, how)`, true],
      [`askProvider(scope, place, async ({ listVersions }) => listVersions({}))`, false],
      [`lock.release()`, false],
    ] as const) {
      const found = changingStores([{ path: 'app/rollouts/a.ts', text }])
      assert.deepEqual(found, isFound ? ['app/rollouts/a.ts'] : [], text)
    }
  })

  test('a file that writes to a disk is detected, however it imports the functions', ({
    assert,
  }) => {
    for (const [text, isFound] of [
      [`import { writeFile } from 'node:fs/promises'`, true],
      [`import { readFile, rename as move } from 'node:fs/promises'`, true],
      [`import { mkdirSync } from 'fs'`, true],
      [`import * as fs from 'node:fs'`, true],
      [`import fs from 'node:fs/promises'`, true],
      [`const { copyFile } = await import('node:fs/promises')`, true],
      [`import { constants, createReadStream } from 'node:fs'`, false],
    ] as const) {
      assert.deepEqual(onDisk([parse('app/a.ts', text)]), isFound ? ['app/a.ts'] : [], text)
    }
  })

  test('files have at most 400 lines, tests and their support included', ({ assert }) => {
    const kept = readKept()
    assert.includeMembers(
      kept.map(({ path }) => path),
      [...code.map(({ path }) => path), ...SUPPORT]
    )
    // Third-party files, copied unchanged by `npm run assets`.
    const own = kept.filter(({ path }) => !path.startsWith('app/pages/assets/'))
    assert.deepEqual(tooLong(own), [])
  })

  test('a file that is too long is detected', ({ assert }) => {
    const file = (path: string, length: number) => ({ path, text: 'line\n'.repeat(length) })
    assert.deepEqual(tooLong([file('a.ts', 399), file('tests/b.spec.ts', 400)]), [
      'tests/b.spec.ts',
    ])
  })
})
