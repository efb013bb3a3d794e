import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'
import { linesOfRehearsed } from '../rehearsal/lines.js'
import { planOfFile } from '../rehearsal/plan_of_file.js'
import { exampleFile, planOf, rehearsed } from './support/rehearsed.js'
import { emptyTemporaryFolder } from './support/temporary_folder.js'
import { LONG } from '#tests/support/effort'

const ROOT = new URL('../../../', import.meta.url)

/** Runs a script of the project to its end. */
async function run(script: string, ...args: string[]) {
  const file = fileURLToPath(new URL(script, ROOT))
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out, errors }
}

test.group('A rehearsal', (group) => {
  group.each.timeout(400_000)

  test('plays a release through its providers, and reports messages and waits', async ({
    assert,
  }) => {
    const { came, text: lines } = await rehearsed(
      await planOf('happy-train', {
        endpoints: [
          { url: 'https://acme.example/hooks', events: ['release.submitted'] },
          { url: 'https://acme.example/all', events: ['*'] },
        ],
      })
    )
    for (const pattern of [
      /The branch release\/1\.0\.0 was cut/,
      /Build 1 of release: running → success/,
      /1\.0\.0 was submitted for review/,
      /IN_REVIEW → PENDING_DEVELOPER_RELEASE/,
      /→ #releases \(edited\): Acme Shop for iOS 1\.0\.0 · Kicked off · .*1\.0\.0 was kicked off/,
      /→ #releases: 1\.0\.0 was kicked off/,
      /https:\/\/acme\.example\/hooks: 1 webhooks: 1 release\.submitted/,
      /The store has not approved the release\. → the store/,
    ]) {
      assert.match(lines, pattern)
    }
    // Simultaneous events are one message, and a state of the store is not reported twice.
    const messages = lines.match(/^day.*→ #releases: .*$/gm)!
    const history = messages.filter((each) => !each.includes('#releases: Acme Shop'))
    const moments = history.map((each) => each.slice(0, each.indexOf(' →')))
    assert.lengthOf(new Set(moments), history.length, messages.join('\n'))
    assert.isEmpty(messages.filter((each) => /WAITING_FOR_REVIEW.*was submitted/.test(each)))
    const all = came.sent.find(({ to }) => to.endsWith('/all'))!.what
    for (const type of [
      ...['ciBuild.statusChanged', 'ciBuild.appStoreBuildAssociated'],
      ...['appStoreBuild.newBuildAvailable', 'betaBuild.newBuildAvailable'],
    ]) {
      assert.include(all, type)
    }
    assert.deepEqual(
      came.asked.filter(({ refused }) => refused > 0),
      []
    )
    assert.isTrue(came.waited.every(({ hours }) => hours > 0))
    assert.equal(came.end, '2026-01-09T08:00:00.000Z')
  })

  test('the same seed gives the same lines, and another one others', async ({ assert }) => {
    const plan = await planOf('everything-at-once', { days: 2 })
    const [one, same] = [await rehearsed(plan), await rehearsed(plan)]
    assert.equal(one.text, same.text)
    const other = await rehearsed({ ...plan, seed: 'another' })
    assert.notEqual(one.text, other.text)
  }).tags([LONG])

  test('people act on a failed build and on a rejection', async ({ assert }) => {
    const failed = await rehearsed(await planOf('failed-build', { days: 2 }))
    assert.match(failed.text, /running → failed[^]*Candidate: blocked → inProgress/)
    const rejected = await rehearsed(await planOf('rejected', { days: 5 }))
    assert.match(rejected.text, /IN_REVIEW → REJECTED[^]*1\.0\.0 was submitted for review/)
    assert.match(rejected.text, /The store rejected the release; it has to be submitted again\./)
    const reported = /→ #releases: .*in review → rejected \(Guideline 2\.1/
    assert.match(rejected.text, reported)
  }).tags([LONG])

  test('reports troubles of providers in order, and only of stores that the app uses', async ({
    assert,
  }) => {
    const { reported, text: all } = await rehearsed(await planOf('store-outage', { days: 2 }))
    const instants = reported.map(({ at }) => at)
    assert.deepEqual(instants, instants.toSorted())
    assert.match(all, /day {3}1 Mon 10:00 ~ CI is away[^]*day {3}1 Mon 13:00 ~ CI is back/)
    assert.match(all, /~ The App Store is back[^]*~ The App Store may be asked again/)
    assert.notMatch(all, /Google Play is/)
  }).tags([LONG])

  test('reports troubles before later actions of people', async ({ assert }) => {
    const plan = await planOf('happy-train', { days: 1 })
    const outage = 'moments: [{ what: outage, of: flags, at: 4h44m, lasting: 1m }]'
    const { reported } = await rehearsed({ ...plan, scenario: `${plan.scenario}\n${outage}\n` })
    const pattern = reported.map((each) => each.text)
    const place = (like: RegExp) => pattern.findIndex((each) => like.test(each))
    const [away, merged] = [place(/The flag service is away/), place(/merges #1/)]
    assert.isAbove(away, 0)
    assert.isAbove(merged, away)
    const instants = reported.map(({ at }) => at)
    assert.deepEqual(instants, instants.toSorted())
  }).tags([LONG])

  test('a failed observation is retried when the service would', async ({ assert }) => {
    const plan = await planOf('happy-train', { days: 3 })
    const outage = 'moments: [{ what: outage, of: appStore, at: 1d11h, lasting: 2h }]'
    const { reported } = await rehearsed({ ...plan, scenario: `${plan.scenario}\n${outage}\n` })
    const at = (pattern: RegExp) => Date.parse(reported.find((each) => pattern.test(each.text))!.at)
    // The review ended while the store was away; the retry comes after 15 minutes, plus jitter.
    const seen = at(/in the store: .*→ PENDING_DEVELOPER_RELEASE/) - at(/The App Store is back/)
    assert.isAbove(seen, 0)
    assert.isAtMost(seen, 16.5 * 60_000)
  }).tags([LONG])

  test('a failed start is explained, and leaves no files', async ({ assert, cleanup }) => {
    const folder = emptyTemporaryFolder(cleanup)
    const plan = await planOf('happy-train')
    const wrong = { ...plan, configuration: `${plan.configuration}\nnme: x\n` }
    await assert.rejects(() => rehearsed(wrong), /The rehearsal failed: .*"nme" is not a known key/)
    await rehearsed({ ...plan, days: 1 })
    assert.deepEqual(readdirSync(folder), [])
  })

  test('an app without any provider is rehearsed, too', async ({ assert }) => {
    const rules = 'changeApprovals: [{ change: permissionAdded, groups: [Legal] }]'
    const file = `${await exampleFile('acme_ios.yml')}\n${rules}\n`
    const { came } = await rehearsed({ ...(await planOf('happy-train')), ...planOfFile(file) })
    assert.containsSubset(came.releases, [{ version: '1.0.0', status: 'completed' }])
    assert.deepEqual(came.standIns, [])
    assert.match(linesOfRehearsed(came).join('\n'), /\nThe app has no store: /)
  })
})

test.group('npm run demo', (group) => {
  group.each.timeout(400_000)

  test('plays a release with every kind of step, with a git repository', async ({ assert }) => {
    const { code, out, errors } = await run('bin/demo.js')
    assert.equal(errors, '')
    assert.equal(code, 0)
    assert.match(out, /1\.1\.1 is completed/)
    assert.match(out, /Done\. Everything happened as it should\./)
  }).tags([LONG])

  test('plays another scenario, and fails for an unknown one', async ({ assert }) => {
    const { code, out } = await run('bin/demo.js', '--scenario', 'rejected')
    assert.equal(code, 0)
    assert.match(out, /IN_REVIEW → REJECTED/)
    const none = await run('bin/demo.js', '--scenario', 'none')
    assert.equal(none.code, 1)
    assert.match(none.errors, /is not a file and not a built-in scenario: console/)
  })
})
