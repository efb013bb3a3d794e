import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { runCommand } from '#tests/support/console'
import { makeWorld } from '#tests/support/world'
import { Rehearse } from '../commands/rehearse.js'
import { linesOfRehearsed } from '../rehearsal/lines.js'
import { LONG } from '#tests/support/effort'

const required = { required: true }
const ALL = { standard: required, hotfix: required }
const TABLES = ['events', 'jobs', 'releases', 'integration_calls', 'audit_entries']

test.group('rehearse <app>', () => {
  test('plays an app of the service as it is, and changes nothing there', async ({ assert }) => {
    const world = await makeWorld()
    const { admin, organizationId } = world
    const appId = await makeApp(world, {
      platform: 'android',
      steps: (['kickoff', 'approvals', 'submission'] as const).map((type) => ({
        type,
        releaseTypes: ALL,
      })),
    })
    const made = await admin.post(`/app/${appId}/approval`, { title: 'Legal sign-off' })
    assert.equal(made.status, 201)
    await admin.post(`/org/${organizationId}/webhookEndpoint`, {
      url: 'https://acme.example/all',
      events: ['*'],
    })
    await admin.post(`/org/${organizationId}/webhookEndpoint`, {
      url: 'https://acme.example/other',
      events: ['*'],
      appIds: [await makeApp(world)],
    })
    const count = async (table: string) =>
      Number(
        (await db.from(table).where('organization_id', organizationId).count('* as count'))[0].count
      )
    const before = await Promise.all(TABLES.map(count))

    const { code, stderr, document } = await runCommand(Rehearse, [appId, '--days=2'])
    assert.equal(stderr, '')
    assert.equal(code, 0)
    const texts = document.reported.map((each: { text: string }) => each.text)
    assert.includeMembers(texts, ['"Legal sign-off" was added'])
    assert.isTrue(texts.some((each: string) => /^Legal sign-off: \w+ → approved/.test(each)))
    // Later approvers have nothing left to approve.
    assert.isFalse(texts.some((each: string) => /approved Legal sign-off/.test(each)))
    assert.containsSubset(document.releases, [{ version: '1.0.0', status: 'completed' }])
    assert.deepEqual(
      document.sent.map(({ to }: { to: string }) => to),
      ['https://acme.example/all']
    )
    assert.deepEqual(await Promise.all(TABLES.map(count)), before)
  })

  test('explains a fault in one line', async ({ assert }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    for (const [argv, pattern] of [
      [
        ['no-such-app'],
        /^There is neither a file nor an app "no-such-app"\. .* GET \/org\/\{orgId\}\/apps\.$/,
      ],
      [['no/such-app.yml'], /^There is neither a file nor an app "no\/such-app\.yml"\./],
      [[appId, '--days=0'], /days/],
      [[appId, '--days=367'], /days/],
      [[appId, '--days=two'], /days/],
      [[appId, '--scenario=none'], /^"none" is not a file and not a built-in scenario: console/],
      [[appId, '--from=yesterday'], /from/],
      [[appId, '--from=2026-02-30'], /from/],
      [[appId, '--version=a.b'], /rehearsal failed: .*version/i],
    ] as [string[], RegExp][]) {
      const { code, stderr, stdout } = await runCommand(Rehearse, argv)
      assert.equal(code, 1, argv.join(' '))
      assert.equal(stdout, '')
      assert.match(stderr, pattern)
      assert.notInclude(stderr, '\n')
    }
  })

  test('begins before the first train of a cadence, and says so if it has no release', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const appId = await makeApp(world, {
      steps: [{ type: 'kickoff' as const, releaseTypes: ALL }],
    })
    await world.admin.put(`/app/${appId}/scheduleCadence`, {
      startDate: '2031-03-03',
      targets: [{ kickoff: { dayOffset: 0, time: '09:00' } }],
    })
    const first = await runCommand(Rehearse, [appId, '--days=2'])
    assert.deepEqual([first.code, first.stderr], [0, ''])
    assert.equal(first.document.begin, '2031-03-02T08:00:00.000Z')
    assert.isNotEmpty(first.document.releases)
    const plain = await runCommand(Rehearse, [appId, '--days=1', '--from=2031-03-10'])
    assert.equal(plain.document.begin, '2031-03-10T08:00:00.000Z')

    const early = await runCommand(Rehearse, [appId, '--days=1', '--from=2026-01-05'])
    assert.equal(early.code, 1)
    assert.deepEqual(early.document.releases, [])
    assert.include(linesOfRehearsed(early.document).join('\n'), 'Nothing happened')
  }).tags([LONG])
})
