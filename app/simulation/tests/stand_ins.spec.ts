import { readFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import { INTEGRATION_TYPES } from '#integrations/vocabulary'
import { parse } from 'yaml'
import { planOfFile } from '../rehearsal/plan_of_file.js'
import { standIn } from '../rehearsal/stand_ins.js'
import { atWork, doneAt } from '../rehearsal/working_hours.js'

const FILE = `
name: Shop
platform: ios
icon: https://acme.example/icon.png
appUsers: [ada.lovelace@acme.example]
buildDistro:
  buckets:
    Nightly: { type: custom, members: { QA: tester, grace@acme.example: admin } }
integrations:
  code: { type: github-vcs, provider: 'github:1', data: { repoName: acme/shop, x-own: 1 } }
  store: { type: apple, provider: Apple, data: { bundleId: com.acme.shop } }
  beta: { type: apple-beta, provider: Apple }
  builds: { type: bitrise, provider: Bitrise, data: { workflowId: rc } }
  talk: { type: slack, provider: Slack, data: { primaryChannelIds: [C77] } }
  numbers: { type: generic-analytics, provider: Own }
branchSettings:
  code: { workingBranch: develop }
x-notifications:
  release.created: { enabled: true, channelOverride: C99 }
appSettings:
  versionFiles: [1.10]
`
const stood = (text: string, hasRepository = false) =>
  standIn(text, INTEGRATION_TYPES, hasRepository)

test.group('Stand-ins of a rehearsal', () => {
  test('replace every provider, and leave the rest of the file unchanged', ({ assert }) => {
    const { configuration, standIns, expected } = stood(FILE)
    const { icon, integrations, ...rest } = parse(configuration)
    const before = parse(FILE)
    assert.isUndefined(icon)
    assert.deepEqual({ ...rest, icon: before.icon, integrations: before.integrations }, before)
    assert.deepEqual(Object.keys(integrations), Object.keys(before.integrations))
    assert.deepEqual(
      standIns.map(({ integration, type, standIn: by }) => `${integration} ${type} ${by}`),
      [
        'code github-vcs sim-vcs',
        'store apple sim-apple',
        'beta apple-beta sim-apple-beta',
        'builds bitrise sim-ci',
        'talk slack sim-chat',
        'numbers generic-analytics generic-analytics',
      ]
    )
    // Fields that only the vendor's plugin knows are left out.
    assert.deepEqual(integrations.code.data, { repoName: 'acme/shop' })
    assert.deepEqual(integrations.beta.data, { bundleId: 'com.example.app' })
    assert.deepEqual(expected, {
      workflows: ['rc'],
      channels: ['C77', 'C99'],
      repositories: ['acme/shop'],
      branches: ['develop'],
      apps: ['com.acme.shop'],
      projects: [],
    })
  })

  test('version control may be a git repository', ({ assert }) => {
    const { standIns } = stood(FILE, true)
    assert.equal(standIns[0].standIn, 'sim-git-vcs')
  })

  test('the kind of an unknown type follows from references to it, or from its data', ({
    assert,
  }) => {
    const of = (integrations: string, more = '') =>
      stood(`name: A\nplatform: android\nintegrations:\n${integrations}\n${more}`)
    const code = of('  one: { provider: P }', 'branchSettings: { one: { workingBranch: main } }')
    assert.equal(code.standIns[0].standIn, 'sim-vcs')
    const tests = of('  one: { provider: P, data: { testRunNameKeywords: x } }')
    assert.equal(tests.standIns[0].standIn, 'sim-tests')
    assert.throws(() => of('  one: { provider: P }'), /"one" is: it has no type; give it one of /)
    assert.throws(
      () => of('  one: { type: google-play, provider: P }'),
      /"google-play" is no type that is known; give it one of .*\bgoogle,/
    )
    // A bundle id is of stores and of beta testing.
    assert.throws(() => of('  one: { provider: P, data: { bundleId: a.b } }'), /"one"/)
  })

  test('stores without a simulator are replaced by the store of the platform', ({ assert }) => {
    const of = (platform: string, type: string) =>
      stood(`name: A\nplatform: ${platform}\nintegrations: { s: { type: ${type}, provider: P } }`)
        .standIns[0].standIn
    assert.equal(of('android', 'huawei'), 'sim-google')
    assert.equal(of('android', 'google'), 'sim-google')
    assert.equal(of('ios', 'apple'), 'sim-apple')
  })

  test('people and groups that a file names take part', ({ assert }) => {
    const { people, groups } = planOfFile(FILE)
    assert.deepEqual(
      people.map(({ email, name }) => `${name} ${email}`),
      ['Ada Lovelace ada.lovelace@acme.example', 'Grace grace@acme.example']
    )
    assert.deepEqual(
      groups.map(({ name }) => name),
      ['QA']
    )
  })

  test('the example of every kind has a stand-in for each of its integrations', async ({
    assert,
  }) => {
    const { plugins } = await import('#integrations/plugins/plugin_registry')
    const text = await readFile(
      new URL('../../../docs/examples/rehearsal.yml', import.meta.url),
      'utf8'
    )
    const { standIns } = standIn(text, plugins.types(), false)
    const { KINDS } = await import('#plugin-kit/kinds')
    assert.sameMembers([...new Set(standIns.map(({ kind }) => kind))], [...KINDS])
  })
})

test.group('People of a rehearsal', () => {
  const at = (text: string) => Date.parse(text)
  const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

  test('work from Monday to Friday, from 8 to 17 UTC', ({ assert }) => {
    for (const [from, to] of [
      ['2026-01-05T07:59:00.000Z', '2026-01-05T08:00:00.000Z'],
      ['2026-01-05T12:30:00.000Z', '2026-01-05T12:30:00.000Z'],
      ['2026-01-05T17:00:00.000Z', '2026-01-06T08:00:00.000Z'],
      ['2026-01-09T18:00:00.000Z', '2026-01-12T08:00:00.000Z'],
      ['2026-01-10T10:00:00.000Z', '2026-01-12T08:00:00.000Z'],
    ]) {
      assert.equal(iso(atWork(at(from))), to)
    }
  })

  test('take some time by the seed, and do nothing at night', ({ assert }) => {
    const since = at('2026-01-09T16:30:00.000Z')
    const times = Array.from({ length: 50 }, (_, index) => doneAt('seed', since, String(index)))
    assert.isAbove(new Set(times).size, 10)
    for (const time of times) {
      assert.isAbove(time, since)
      const hour = new Date(time).getUTCHours() + new Date(time).getUTCMinutes() / 60
      assert.isTrue(hour >= 8 && hour <= 17, iso(time))
      assert.notInclude([0, 6], new Date(time).getUTCDay())
    }
    assert.equal(doneAt('seed', since, '7'), times[7])
  })
})
