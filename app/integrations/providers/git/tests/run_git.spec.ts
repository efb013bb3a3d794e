import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { makeFolder, writeScript } from './support/repositories.js'
import { runGit } from './support/run_git.js'

/** Returns a program in the place of git. */
function inPlaceOfGit(folder: string, script: string) {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeScript(join(bin, 'git'), script)
  return { PATH: `${bin}:${process.env.PATH}` }
}

test.group('git | how tests run it', () => {
  test('words are what was given, whatever is in them', ({ assert, cleanup }) => {
    const env = inPlaceOfGit(makeFolder(cleanup), `printf '%s\\0' "$@"`)
    const words = ['$HOME', '`id`', `it's "so"\n`, '; exit 1', '\\', 'ü😀', '', '*', '-n']
    const { status, stdout } = runGit(words, { env })
    assert.equal(status, 0)
    assert.deepEqual(stdout.toString(), words.map((word) => `${word}\0`).join(''))
  })

  test('bytes go in and come out, what it says and how it ended beside them', ({
    assert,
    cleanup,
  }) => {
    const env = inPlaceOfGit(makeFolder(cleanup), 'cat; echo said >&2; exit 7')
    const input = randomBytes(300_000)
    const done = runGit([], { env, input })
    assert.isTrue(done.stdout.equals(input))
    assert.deepEqual([done.status, done.stderr.toString()], [7, 'said\n'])
    // Nothing of what was before.
    assert.lengthOf(runGit([], { env }).stdout, 0)
  })

  test('environment and folder are those of the run alone', ({ assert, cleanup }) => {
    const folder = makeFolder(cleanup)
    const env = inPlaceOfGit(folder, 'pwd; env')
    process.env.TARMAC_CANARY = 'seen'
    cleanup(() => void delete process.env.TARMAC_CANARY)
    const first = runGit([], { env: { ...env, GIVEN: `a'b` }, cwd: folder }).stdout.toString()
    assert.isTrue(first.startsWith(`${folder}\n`))
    assert.include(first, `GIVEN=a'b\n`)
    const second = runGit([], { env }).stdout.toString()
    assert.isTrue(second.startsWith('/\n'))
    assert.notInclude(second, 'GIVEN')
    assert.notInclude(first + second, 'TARMAC_CANARY')
  })

  test('a folder or a program that is not there fails, and nothing after it', ({
    assert,
    cleanup,
  }) => {
    const folder = makeFolder(cleanup)
    assert.notEqual(runGit(['--version'], { cwd: join(folder, 'nowhere') }).status, 0)
    assert.equal(runGit(['--version'], { env: { PATH: folder } }).status, 127)
    assert.match(runGit(['--version']).stdout.toString(), /^git version /)
  })
})
