import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import type { TestContext } from '@japa/runner/core'
import { isLong } from '#tests/support/effort'
import { versionOf } from '../remote/folder_version.js'
import { versionControl } from './support/contexts.js'
import { makeFolder, TestRepository } from './support/repositories.js'

/** Longer than file systems keep one time of change. */
const A_WHILE = 120

/** Counts every git that the plugin starts. @returns the number of commands */
function counting(cleanup: TestContext['cleanup'], folder: string) {
  const [bin, notes] = [join(folder, 'bin'), join(folder, 'notes')]
  mkdirSync(bin)
  appendFileSync(notes, '')
  const git = execFileSync('sh', ['-c', 'command -v git']).toString().trim()
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$@" >> '${notes}'\nexec '${git}' "$@"\n`)
  chmodSync(join(bin, 'git'), 0o755)
  const before = process.env.PATH
  process.env.PATH = `${bin}${delimiter}${before}`
  cleanup(() => void (process.env.PATH = before))
  return (command: string) => {
    const lines = readFileSync(notes, 'utf8').split('\n')
    return lines.filter((line) => line.includes(` ${command} `)).length
  }
}

function setUp(cleanup: TestContext['cleanup']) {
  const folder = makeFolder(cleanup)
  const repository = new TestRepository(join(folder, 'app.git'))
  return { folder, repository, git: versionControl({ baseUrl: folder, home: folder }) }
}

test.group('git | a folder in which nothing was changed', () => {
  test('is not asked again, and is once a ref is another', async ({ assert, cleanup }) => {
    const { folder, repository, git } = setUp(cleanup)
    repository.commit()
    repository.commit({ branch: 'next' })
    const started = counting(cleanup, folder)
    const look = async () => {
      const { sha } = (await git.getBranch('main'))!
      return [sha, (await git.compare('main', 'next')).items.length]
    }
    await pause(A_WHILE)
    const first = await look()
    // For some milliseconds after a change, a read may be incomplete.
    await look()
    const before = ['ls-remote', 'fetch', 'rev-list', 'log'].map(started)
    for (let count = 0; count < 5; count++) assert.deepEqual(await look(), first)
    assert.deepEqual(['ls-remote', 'fetch', 'rev-list', 'log'].map(started), before)
    const sha = repository.commit()
    assert.equal((await look())[0], sha)
    assert.isAbove(started('ls-remote'), before[0])
    assert.isAbove(started('fetch'), before[1])
  })

  test('is never reported as it was before, however it was changed', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = setUp(cleanup)
    const [one, two] = [repository.commit(), repository.commit()]
    repository.git('branch', 'next', one)
    const changes: (() => void)[] = [
      () => repository.git('update-ref', 'refs/heads/next', two),
      () => void repository.commit({ branch: 'next' }),
      () => repository.git('pack-refs', '--all'),
      () => repository.git('update-ref', 'refs/heads/next', one),
      () => writeFileSync(join(repository.path, 'refs/heads/next'), `${two}\n`),
      () => repository.git('update-ref', '-d', 'refs/heads/next'),
      () => repository.git('update-ref', 'refs/heads/next', one),
      () => void repository.commit(),
    ]
    // Every change comes once in eight rounds.
    for (let round = 0; round < (isLong ? 40 : 16); round++) {
      changes[(round * 5) % changes.length]()
      // Now and then so late that what was read is kept.
      if (round % 4 === 0) await pause(A_WHILE)
      for (let again = 0; again < 2; again++) {
        const next = repository.tip('next')
        assert.equal((await git.getBranch('next'))?.sha ?? null, next, `round ${round}`)
        if (next === null) continue
        const { ahead, behind } = await git.compare('main', 'next')
        const counted = repository.git('rev-list', '--count', '--left-right', 'main...next')
        assert.deepEqual([behind, ahead], counted.split('\t').map(Number), `round ${round}`)
      }
    }
  }).timeout(120_000)

  test('without a known state is asked each time', async ({ assert, cleanup }) => {
    const { folder, repository } = setUp(cleanup)
    repository.commit()
    await pause(A_WHILE)
    const settled = (await versionOf(repository.path))!
    assert.isTrue(settled.isSettled)
    assert.deepEqual(await versionOf(repository.path), settled)
    assert.isNull(await versionOf(join(folder, 'none')))
    symlinkSync(folder, join(repository.path, 'refs', 'elsewhere'))
    assert.isNull(await versionOf(repository.path))
  })
})
