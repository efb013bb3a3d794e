import router from '@adonisjs/core/services/router'
import db from '@adonisjs/lucid/services/db'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { makeBucket } from '#distribution/tests/support'
import { routePattern } from '#foundation/api/operation/route_pattern'
import { RELEASE_STEP_TYPES } from '#workflow/vocabulary'
import { Api } from '#tests/support/api'
import { Fixtures } from '#tests/support/fixtures'
import { addresses, oldAddresses } from '../addresses.js'
import { ACTS } from '../release/acts.js'
import { forms, pages } from '../routes.js'
import { Browser, linkTo } from '../session/tests/browser.js'
import { CORPUS, faultsOf, marksIn, type Text } from './corpus.js'
import { withHostileAnswers } from './hostile_answers.js'
import { attributes, outliveTags, pageWorld, pathFor, signedIn } from './support.js'
import { some } from '#tests/support/effort'

/*
 * Every page shows the texts of others as text. The operations answer with markup in each place for
 * text, so a new page is looked at without any change here, unless it shows no such text at all.
 */

/** The texts that are tried, with their numbers. */
const TEXTS = some([...CORPUS.entries()])

/** Pages that show no text of others here, each with the reason. */
const WITHOUT_TEXTS: Readonly<Record<string, string>> = {
  [addresses.turn]: 'what waits for the reader alone: text_of_others.spec.ts looks at it',
  [addresses.authorized]: 'redirects to the connection, and works only once',
  [addresses.newGroup]: 'an empty form whose choices are user actions',
  [addresses.recovery]: 'numbers and times of a recovery',
}

/** Other addresses that answer a browser, each with the reason why nothing is looked for there. */
const NOT_LOOKED_AT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(oldAddresses).map((each) => [each, 'redirects'])),
  '/': 'the form for signing in, or a redirect',
  '/sign-in': 'what the reader has typed, alone',
  '/sign-in/oidc': 'redirects',
  '/sign-in/oidc/callback': 'redirects, or gives one of four reasons of the service',
  '/dashboard': 'redirects',
  '/dashboard/*': 'says that there is nothing',
  [addresses.notConnected]: 'explains a code of the service',
  [addresses.reference]: 'the document of the API',
  '/assets/:file': 'files of the service',
  '/guide': 'files of the service',
  '/guide/*': 'files of the service',
}

/** Looked at with stored texts, as these pages ask no operation or are no page of the frame. */
const WITH_STORED_TEXTS = [
  addresses.shared,
  addresses.device,
  '/dashboard/me',
  '/sign-in/link/:token',
]

/** Texts of others that have to be seen on some page, by the operation that answers them. */
const SEEN = [
  ...['compareBuilds.changes.subject', 'compareBuilds.changes.from', 'compareBuilds.changes.to'],
  ...['listBuckets.name', 'listBucketBuilds.data.artifactFileName', 'listBucketBuilds.data.tags'],
  ...['getBucket.rules.branch', 'getBucketBuild.metadata.name', 'getBucketBuild.testerNotes'],
  ...['getInstallLink.tester.name', 'listInstallLinks.data.tester.name'],
  ...['getReleaseRetrospective.retrospective.steps.name', 'listRehearsals.scenario'],
  ...['getRehearsal.result.story.releases.steps.name', 'getRehearsal.result.entries.text'],
  ...['listUsers.data.name', 'listUsers.data.email', 'listGroups.name', 'listGroups.members.name'],
  ...['listSignIns.signIns.client', 'listApiKeys.name', 'getApiKey.person.name'],
  ...['listTrustRules.repository', 'listTrustRules.workflow', 'listTrustRules.refs'],
  ...['listWebhookEndpoints.url', 'listWebhookEndpoints.description'],
  ...['getWebhookEndpoint.headerNames', 'getWebhookDelivery.attempts.headerNames'],
  ...['getWebhookDelivery.attempts.url', 'getWebhookDelivery.attempts.answerBody'],
  ...['getWebhookDelivery.attempts.errorMessage', 'listTriageIssues.data.title'],
]

/** Texts that have to be seen after a form: what it was sent with, and what its operation answers. */
const ANSWERED = [
  ...['configuration', 'changeAppFromConfiguration.path', 'changeAppFromConfiguration.effect'],
  ...['foreseeSchedule.releases.version', 'foreseeSchedule.drafts.moved.version'],
  ...['foreseeRollouts.metrics.name', 'setRolloutPolicy.warnings.message', 'metric'],
]

/** Makes an organization with an entity for every page, and a release with a step of each type. */
async function given() {
  const { world, person } = await pageWorld()
  const fixtures = new Fixtures(world)
  const appId = await fixtures.get('appId')
  const [one] = await db.from('step_configs').where('app_id', appId).orderBy('group_index', 'desc')
  const known = await db.from('step_configs').where('app_id', appId).select('type')
  const more = RELEASE_STEP_TYPES.filter((type) => !known.some((each) => each.type === type))
  await db.table('step_configs').multiInsert(
    more.map((type, index) => ({
      ...one,
      ...{ id: `${one.id}${index}`, type, name: type, group_index: one.group_index + index + 1 },
    }))
  )
  const connectionId = await fixtures.get('unusedConnectionId')
  const looked: { address: string; path: string }[] = []
  const visit = async (address: string, replaced = {}) => {
    const of = { connectionId, ...replaced }
    const params = address.includes('{connectionId}') ? of : replaced
    looked.push({ address, path: await pathFor(fixtures, address, params) })
  }
  for (const [address] of pages) if (address !== addresses.authorized) await visit(address)
  const release = `/app/${appId}/release/${await fixtures.get('releaseId')}`
  const { body: steps } = await world.admin.get(`${release}/steps`)
  for (const { id: stepId, type } of steps) {
    await visit(addresses.step, { stepId })
    const asked = ACTS.filter((each) => each.asksFirst && each.types.includes(type))
    for (const { act } of asked) await visit(addresses.act, { stepId, act })
  }
  const sent = await Promise.all(
    forms.map(([address]) =>
      pathFor(fixtures, address, address.includes('{connectionId}') ? { connectionId } : {})
    )
  )
  return { person, looked, sent }
}

test.group('Every page', (group) => {
  let setting: Awaited<ReturnType<typeof given>>
  /** The marks that each page has shown, and the fields of all their forms. */
  const seen = new Map<string, Set<string>>()
  const names = new Set<string>()
  /** The marks that were shown after forms. */
  const answered = new Set<string>()
  group.setup(async () => {
    setting = await given()
  })

  for (const [index, text] of TEXTS) {
    test(`shows each text of an answer as text: ${text('x')}`, async ({ assert }) => {
      const { person, looked } = setting
      outliveTags()
      const faults: string[] = []
      await withHostileAnswers(text, index, async () => {
        for (const { address, path } of looked) {
          const { status, text: html } = await person.get(path)
          assert.equal(status, 200, path)
          faults.push(...faultsOf(html).map((fault) => `${address}: ${fault}`))
          const marks = seen.get(address) ?? new Set()
          seen.set(address, marks)
          for (const mark of marksIn(html, text)) marks.add(mark)
          for (const name of attributes(html, 'name')) if (/^[a-z]/.test(name)) names.add(name)
        }
      })
      assert.deepEqual(faults, [])
    }).timeout(60_000)
  }

  for (const [index, text] of TEXTS) {
    test(`shows what was typed, and what came of it, as text: ${text('x')}`, async ({ assert }) => {
      const { person, sent } = setting
      const fields = Object.fromEntries([...names].map((name) => [name, text(name)]))
      const faults: string[] = []
      await withHostileAnswers(text, index, async () => {
        for (const path of sent) {
          const answer = await person.post(path, fields)
          const shown = answer.location?.startsWith('/dashboard/')
            ? await person.get(answer.location)
            : answer
          faults.push(...faultsOf(shown.text).map((fault) => `${path}: ${fault}`))
          for (const mark of marksIn(shown.text, text)) answered.add(mark)
        }
      })
      assert.deepEqual(faults, [])
    }).timeout(60_000)
  }

  test('has shown some, unless it is listed as one without', ({ assert }) => {
    const without = pages.map(([address]) => address).filter((address) => !seen.get(address)?.size)
    assert.sameMembers(without, Object.keys(WITHOUT_TEXTS))
    const all = new Set([...seen.values()].flatMap((marks) => [...marks]))
    assert.deepEqual(
      SEEN.filter((mark) => !all.has(mark)),
      []
    )
    assert.deepEqual(
      ANSWERED.filter((mark) => !answered.has(mark)),
      []
    )
  })

  test('is known here by its address', ({ assert }) => {
    const known = [
      ...pages.map(([address]) => address),
      ...Object.keys(NOT_LOOKED_AT),
      ...WITH_STORED_TEXTS,
    ].map(routePattern)
    const routed = Object.values(router.toJSON())
      .flat()
      .filter(({ name, methods }) => name?.startsWith('page ') && methods.includes('GET'))
      .map(({ pattern }) => pattern)
    assert.sameMembers(routed, known)
  })
})

test.group('Pages with texts that no operation answers', () => {
  /** Looks at a page, and returns the marks that it shows. */
  async function look(assert: Assert, text: Text, browser: Pick<Browser, 'get'>, path: string) {
    const { status, text: html } = await browser.get(path)
    assert.equal(status, 200, path)
    assert.deepEqual(faultsOf(html), [], path)
    return marksIn(html, text)
  }

  for (const [, text] of TEXTS) {
    test(`show them as text: ${text('x')}`, async ({ assert }) => {
      const made = await makeBucket({ publicLinkEnabled: true, name: text('bucket') })
      const { world, upload, path, admin } = made
      const data = { testerNotes: text('notes'), tags: [text('tag')] }
      const { body: build } = await upload({ fileName: `${text('file')}.ipa`, data })
      const link = await admin.post(`${path}/installLink`, { buildDistroBuildId: build.id })
      assert.equal(link.status, 201, link.text)
      const person = await signedIn(world)
      const told = new Browser({ 'user-agent': text('browser') })
      const invited = await linkTo(world, { userId: person.userId, resets: true })
      await db
        .from('users')
        .where('id', person.userId)
        .update({ name: text('user') })
      const { account_id: id } = await db.from('users').where('id', person.userId).firstOrFail()
      await db
        .from('accounts')
        .where('id', id)
        .update({ name: text('account') })
      await db
        .from('sign_ins')
        .where('account_id', id)
        .update({ client: text('client') })
      const program = { client: text('program') }
      const begun = await new Api('').post('/deviceLogin', { client: 'Terminal' })
      const code: string = begun.body.userCode
      await db.from('device_logins').where('user_code', code.replace('-', '')).update(program)
      assert.includeMembers(await look(assert, text, person, '/dashboard/me'), [
        'account',
        'client',
      ])
      assert.includeMembers(await look(assert, text, person, `${addresses.device}?code=${code}`), [
        'program',
      ])
      assert.isNotEmpty(await look(assert, text, told, invited))
      const page = new URL(link.body.url).pathname
      const shown = await look(assert, text, told, page)
      assert.includeMembers(shown, ['notes'])
    })
  }

  test('the page of a release for everybody shows its texts as text', async ({ assert }) => {
    const { world } = await pageWorld()
    const token = await new Fixtures(world).get('sharedToken')
    for (const [index, text] of TEXTS) {
      await withHostileAnswers(text, index, async () => {
        const marks = await look(assert, text, new Browser(), `/shared/${token}`)
        assert.includeMembers(marks, ['getSharedRelease.appName', 'getSharedRelease.version'])
      })
    }
  })
})
