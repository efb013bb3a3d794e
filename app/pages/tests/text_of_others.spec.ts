import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { refusal } from '#stores/tests/memory_store'
import { storeWorld, tidy } from '#stores/tests/support'
import type { Api } from '#tests/support/api'
import { CORPUS, faultsOf, seenIn } from './corpus.js'
import { attributes, outliveTags, signedIn } from './support.js'

/*
 * Pages show the texts of people, providers and repositories as text. Here, each such text contains
 * markup, and no page may render it as markup.
 */

/** Makes a release with a text of the corpus in every field that its pages show. */
async function given(text: (mark: string) => string) {
  const found = await storeWorld('google', [
    'kickoff',
    'releaseCandidate',
    'regressionTesting',
    'approvals',
    'submission',
    'takeoff',
    'rollout',
  ])
  const { world, admin, appId, path, store, work } = found
  const { organizationId } = world
  const demand = async (answer: ReturnType<Api['send']>) => {
    const { status, text: answered, body } = await answer
    if (status >= 300) throw new Error(answered)
    return body as { id: string }
  }
  const set = (table: string, where: object, values: object) =>
    db.from(table).where(where).update(values)
  const group = await demand(
    admin.post(`/org/${organizationId}/group`, {
      name: text('groupName'),
      userActions: ['SubmitForReview'],
    })
  )
  const owners = [{ type: 'group', id: group.id }]
  for (const [kind, more] of [
    ['regressionItem', {}],
    ['approval', { requiredApprovals: 1, owners }],
  ] as const) {
    const item = { title: text(`${kind}Title`), description: text(`${kind}About`), ...more }
    const { id } = await demand(admin.post(`/app/${appId}/${kind}`, item))
    const status = { status: kind === 'approval' ? 'rejected' : 'blocked' }
    const decided = { ...status, comment: text(`${kind}Comment`) }
    await demand(admin.put(`${path}/checklistItem/${id}/status`, decided))
  }
  const { stepRunId: tests } = await found.step('regressionTesting')
  const verdict = { status: 'inProgress', comment: text('verdictComment') }
  await demand(admin.put(`${path}/step/${tests}/regressionStatus`, verdict))
  await demand(found.sendCiBuild({ commitMessage: text('commitMessage') }))
  const key = await world.keyed({ name: text('keyName'), admin: true })
  await demand(key.put(`${path}`, { releaseName: text('releaseName') }))
  await demand(key.post(`${path}/fixRequest`, { title: text('fixTitle') }))
  const issue = { title: text('issueTitle'), releaseId: `${appId}:1.4.0` }
  await demand(key.post(`/app/${appId}/triageIssue`, issue))
  store.upload('4711')
  store.become('rolledOutPartially', { buildNumbers: ['4711'] })
  store.rollout({ state: 'active', fraction: 0.1 })
  await work()
  await demand(key.put(`${path}/redButton`, { reason: text('stopReason') }))
  store.failures.push(refusal('unavailable', text('storeSays')))
  await work()
  await set('organizations', { id: organizationId }, { name: text('organizationName') })
  await set('apps', { id: appId }, { name: text('appName') })
  const connection = {
    alias: text('connectionName'),
    account: text('accountName'),
    missing_permissions: JSON.stringify([text('permissionName')]),
    check_failure: JSON.stringify({ code: 'invalid', message: text('checkSays') }),
    settings: JSON.stringify({ place: text('settingOf') }),
  }
  await set('connections', { organization_id: organizationId }, connection)
  const { id: connectionId } = await db
    .from('connections')
    .where('organization_id', organizationId)
    .firstOrFail()
  await set('releases', { app_id: appId }, { release_branch: text('branchName') })
  const named = { name: text('stepName'), workflow_name: text('stepName') }
  await set('release_steps', { organization_id: organizationId }, named)
  const person = await signedIn(world)
  await set('users', { id: person.userId }, { name: text('userName') })
  const { account_id: account } = await db.from('users').where('id', person.userId).firstOrFail()
  await set('accounts', { id: account }, { name: text('userName') })
  await demand(admin.put(path, { releasePilotId: person.userId }))
  const span = { startAt: '2031-05-06T00:00:00.000Z', endAt: '2031-05-07T00:00:00.000Z' }
  const freezes = [{ ...span, name: text('freezeName'), phases: ['release'] }]
  await demand(admin.put(`/app/${appId}/lifecycleFreezes`, { freezes }))
  const metrics = [{ name: text('metricName'), total: text('totalName'), bad: text('badName') }]
  const policy = { ladder: [{ percentage: 100, hours: 0 }], guard: { metrics, whenUnsure: 'grow' } }
  await demand(admin.put(`/app/${appId}/rolloutPolicy`, { policy }))
  await demand(
    admin.put(`/app/${appId}/automations/pause`, { paused: true, reason: text('pauseReason') })
  )
  outliveTags()
  return { ...found, person, connectionId: String(connectionId) }
}

test.group('Text of others', (group) => {
  group.each.teardown(tidy)

  for (const [index, text] of CORPUS.entries()) {
    test(`is shown as text: ${text('x')}`, async ({ assert }) => {
      const { world, appId, path, admin, person, connectionId } = await given(text)
      const base = `/dashboard/app/${appId}/release/${appId}:1.4.0`
      const org = `/dashboard/org/${world.organizationId}`
      const { body: steps } = await admin.get(`${path}/steps`)
      const shown = [
        ...[org, `${org}?show=blocked`, `${org}/turn`, '/dashboard/me'],
        ...[`/dashboard/app/${appId}`, `/dashboard/app/${appId}/release/new`],
        ...[`${org}/integration`, `${org}/integration/${connectionId}`],
        ...['config', 'releaseSchedule', 'automations', 'rolloutPolicy'].map(
          (each) => `/dashboard/app/${appId}/${each}`
        ),
        ...[base, `${base}/timelineEvents`],
        ...steps.map(({ id }: { id: string }) => `${base}/step/${id}`),
        ...[`${base}/step/${steps[0].id}/act/kickoff`, `${base}/step/${steps[4].id}/act/submit`],
      ]
      const seen: string[] = []
      const look = (what: string, html: string) => {
        assert.deepEqual(faultsOf(html), [], what)
        seen.push(seenIn(html))
      }
      for (const each of shown) {
        const { status, text: html } = await person.get(each)
        assert.equal(status, 200, each)
        look(each, html)
      }
      // A refused form shows the typed text again.
      const fields = { version: text('typed'), releaseName: text('typed'), baseTag: text('typed') }
      const refused = await person.send(
        '/dashboard/me',
        `/dashboard/app/${appId}/release/new`,
        fields
      )
      assert.equal(refused.status, 422)
      look('typed', refused.text)
      assert.include(attributes(refused.text, 'value'), text('typed'))
      look('nowhere', (await person.get(`/dashboard/app/${encodeURIComponent(text('x'))}`)).text)

      if (index > 0) return
      const all = seen.join('\n')
      const marks = [
        ...['regressionItemTitle', 'regressionItemComment', 'approvalTitle', 'approvalComment'],
        ...['groupName', 'commitMessage', 'keyName', 'releaseName', 'fixTitle', 'issueTitle'],
        ...['stopReason', 'storeSays', 'organizationName', 'appName', 'branchName', 'stepName'],
        ...['userName', 'verdictComment', 'freezeName', 'metricName', 'pauseReason'],
        ...['connectionName', 'accountName', 'permissionName', 'checkSays', 'settingOf'],
      ]
      assert.deepEqual(
        marks.filter((mark) => !all.includes(text(mark))),
        []
      )
    })
  }
})
