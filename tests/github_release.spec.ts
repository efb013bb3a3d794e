import { createHmac, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import app from '@adonisjs/core/services/app'
import config from '@adonisjs/core/services/config'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { WebhookDefinition } from '@octokit/webhooks-examples'
import type { WorkflowRunCompletedEvent } from '@octokit/webhooks-types'
import { sampleScenario } from '@tarmac/plugin-github/fake'
import { plugins } from '#integrations/plugins/plugin_registry'
import { clock } from '#foundation/core/services'
import { workPlanned } from '#foundation/jobs/tests/support/work_planned'
import { replaceIntegrations } from '#integrations/store_integrations'
import { ProviderCallback } from '#integrations/commands/provider_callback'
import { connect } from '#integrations/tests/support/connect'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { joined } from '#pages/session/tests/browser'
import { workThrough } from '#stores/tests/support'
import { Api } from '#tests/support/api'
import { runCommand } from '#tests/support/console'
import {
  credentials,
  integrationsOf,
  makeGitHub,
  reached,
  restarted,
  setBranches,
} from '#tests/support/github'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { withoutLeftWork } from '#tests/support/left_work'

const read = createRequire(import.meta.url)

const required = { required: true }
/** Makes a release 1.1.0 of an app whose code and builds are at GitHub. */
async function makeRelease(repository = 'acme/app') {
  reached.github = makeGitHub()
  reached.github.repository = repository
  reached.github.seed(sampleScenario())
  // No other plugin is loaded: others of the tests have the same integration types.
  await plugins.load({ github: () => import('@tarmac/plugin-github') })
  const steps = (['kickoff', 'releaseCandidate'] as const).map((type) => ({
    type,
    releaseTypes: { standard: required, hotfix: required },
  }))
  const train = await makeTrain([], { steps })
  const { world, app: appId, admin } = train
  const { id: provider } = await connect(world, 'github', { credentials })
  await world.write(async (scope) => {
    await replaceIntegrations(scope, appId, integrationsOf(provider, repository))
  })
  await setBranches(appId)
  await admin.post(`/app/${appId}/release`, { version: '1.1.0' })
  const path = `/app/${appId}/release/${appId}:1.1.0`
  const step = async () => {
    const { body } = await admin.get(`${path}/steps`)
    return body.find((each: { type: string }) => each.type === 'releaseCandidate')
  }
  const active = async () =>
    (await admin.get(`${path}/stepRun/${(await step()).stepRunId}`)).body.data.activeBuild
  const worker = await app.container.make('jobs.worker')
  /** Makes all planned jobs of the organization due, and lets a worker run them. */
  const work = async () => {
    for (let turn = 0; turn < 3; turn++) await workPlanned(world.organizationId)
  }
  /** Lets a worker run the jobs that are due. */
  const workDue = () => worker.turn()
  return { ...train, path, step, active, work, workDue }
}

/** Gives the service a public address. Returns what undoes it. */
function withPublicUrl() {
  const before = config.get('app.publicUrl')
  config.set('app.publicUrl', 'https://tarmac.acme.example')
  return () => void config.set('app.publicUrl', before)
}

/** Returns GitHub's published example of a completed run. */
function completedRun() {
  const definitions: WebhookDefinition[] = read('@octokit/webhooks-examples')
  const { examples } = definitions.find(({ name }) => name === 'workflow_run')!
  const payload = examples[0] as WorkflowRunCompletedEvent
  return { payload, repository: payload.repository.full_name }
}

interface Hook {
  url: string
  secret: string
}

/** Delivers a payload to the address of a webhook as GitHub does. */
function deliver({ url, secret }: Hook, payload: object) {
  const raw = JSON.stringify(payload)
  const signature = createHmac('sha256', secret).update(raw).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'workflow_run',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${signature}`,
  }
  return new Api(null).send('POST', new URL(url).pathname, { raw, headers })
}

/** Returns a release with a commit of its own that is completed while a rule protects `main`. */
async function completedWithProtectedMain() {
  const { admin, path, work, timeline, app: appId } = await makeRelease()
  const { code } = reached.github!
  const { git } = code
  const automation = { type: 'backMergeAfterRelease', enabled: true }
  const { status, text } = await admin.put(`/app/${appId}/automations`, automation)
  if (status !== 200) throw new Error(text)
  await admin.put(`${path}/kickoff`)
  await work()
  const branch = git.branches.get('release/1.1.0')!
  const { tree } = git.commits.get(branch.sha)!
  const person = { name: 'Ada', email: 'ada@acme.example', date: clock.now() }
  const made = { message: 'Fix', tree, parents: [branch.sha], author: person, committer: person }
  branch.sha = git.commit(made).sha
  git.branches.get('main')!.protected = true
  await admin.put(`${path}/complete`)
  await work()
  await work()
  const reported = async (): Promise<string[]> =>
    (await timeline('1.1.0'))
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => type.startsWith('release.backMerge'))
  return { code, head: branch.sha, reported, work }
}

test.group('A release with its code and builds at GitHub', (group) => {
  withoutLeftWork(group)
  group.each.teardown(async () => {
    reached.github = null
    await loadTestPlugins()
  })

  test('is cut, built and followed, once each, while GitHub is unreachable for a time', async ({
    assert,
  }) => {
    const { admin, path, step, active, work, detail } = await makeRelease()
    const first = reached.github!
    assert.equal((await admin.put(`${path}/kickoff`)).status, 200)
    reached.github = null
    await work()
    assert.isFalse(first.code.git.branches.has('release/1.1.0'))
    // GitHub creates the branch, but its answer is lost.
    reached.github = first
    first.failNext('lost')
    await work()
    const second = (reached.github = restarted(first))
    await work()
    const release = await detail('1.1.0')
    assert.equal(release.releaseBranch, 'release/1.1.0')
    assert.isNotNull(release.kickedOffAt)
    const tip = second.code.git.branches.get('main')!.sha
    assert.equal(second.code.git.branches.get('release/1.1.0')?.sha, tip)

    const { stepRunId } = await step()
    const { status } = await admin.post(`${path}/stepRun/${stepRunId}/triggerCI`, {
      arguments: { lane: 'beta' },
    })
    assert.equal(status, 200)
    await work()
    const third = (reached.github = restarted(second))
    await work()
    assert.lengthOf(third.actions.runs, 1)
    const [run] = third.actions.runs
    assert.deepEqual([run.branch, run.sha], ['release/1.1.0', tip])
    assert.equal((await active()).buildIdentifier, String(run.id))
    run.state = 'succeeded'
    third.actions.artifacts.push({
      ...{ id: '71', runId: String(run.id), name: 'app-release.apk' },
      ...{ content: 'an app', isExpired: false },
    })
    await work()
    const build = await active()
    assert.equal(build.buildStatus, 'success')
    assert.deepEqual(
      build.artifacts.map((each: { fileName: string }) => each.fileName),
      ['app-release.apk']
    )
    assert.lengthOf(third.actions.runs, 1)
  })

  test('is merged back by a pull request into a protected branch, once checks pass', async ({
    assert,
  }) => {
    const { code, head, reported, work } = await completedWithProtectedMain()
    const { git, statuses, pulls } = code
    const tip = git.branches.get('main')!.sha
    assert.deepEqual(
      pulls.map(({ head: from, base, state }) => [from, base, state]),
      [['release/1.1.0', 'main', 'open']]
    )
    assert.deepEqual(await reported(), ['release.backMergeAsked'])
    statuses.push({ sha: head, name: 'build', state: 'pending', description: '' })
    await work()
    assert.equal(git.branches.get('main')!.sha, tip)
    statuses.push({ sha: head, name: 'build', state: 'success', description: '' })
    await work()
    assert.lengthOf(pulls, 1)
    assert.equal(pulls[0].state, 'merged')
    assert.isTrue(git.reached(git.branches.get('main')!.sha).has(head))
    assert.sameMembers(await reported(), ['release.backMergeAsked', 'release.backMerged'])
  })

  test('a back-merge pull request that people close is not opened again', async ({ assert }) => {
    const { code, reported, work } = await completedWithProtectedMain()
    code.pulls[0].state = 'closed'
    await work()
    await work()
    assert.lengthOf(code.pulls, 1)
    assert.sameMembers(await reported(), ['release.backMergeAsked', 'release.backMergeFailed'])
  })

  test('whyNotMoving says that the repository was renamed or transferred', async ({ assert }) => {
    const { admin, path, work, world, app: appId } = await makeRelease()
    const provider = await db.from('connections').where('plugin_id', 'github').orderBy('id', 'desc')
    const { id } = provider.find((each) => each.organization_id === world.organizationId)!
    await world.write(async (scope) => {
      await replaceIntegrations(scope, appId, [integrationsOf(id, 'acme/old-name')[0]])
    })
    await admin.put(`${path}/kickoff`)
    await work()
    const { body } = await admin.get(`${path}/whyNotMoving`)
    const kickoff = body.steps.find((each: { type: string }) => each.type === 'kickoff')
    assert.match(JSON.stringify(kickoff.unmet), /renamed or transferred/)
    assert.isFalse(reached.github!.code.git.branches.has('release/1.1.0'))
  })

  test('a delivery of its webhook has the build polled at once', async ({ assert, cleanup }) => {
    cleanup(withPublicUrl())
    const { payload, repository } = completedRun()
    const { admin, path, step, active, work, workDue } = await makeRelease(repository)
    await admin.put(`${path}/kickoff`)
    await work()
    const { stepRunId } = await step()
    await admin.post(`${path}/stepRun/${stepRunId}/triggerCI`, {})
    await work()
    const { actions, code } = reached.github!
    const [run, ...others] = actions.runs
    assert.isEmpty(others)
    // The next poll is minutes away.
    run.state = 'succeeded'
    await workDue()
    assert.equal((await active()).buildStatus, 'pending')

    const hook = code.hooks[0].config as unknown as Hook
    const updated = { ...payload.workflow_run, updated_at: clock.now() }
    const fresh = { ...payload, workflow_run: updated }
    // The published example is years old, as one that is sent again.
    assert.equal((await deliver(hook, payload)).status, 404)
    assert.equal((await deliver({ ...hook, secret: 'a guess' }, fresh)).status, 404)
    await workDue()
    assert.equal((await active()).buildStatus, 'pending')
    assert.equal((await deliver(hook, fresh)).status, 202)
    await workDue()
    assert.equal((await active()).buildStatus, 'success')
  })

  test('code and builds of one repository share a webhook, which is deleted with the last of them', async ({
    assert,
    cleanup,
  }) => {
    cleanup(withPublicUrl())
    const { world, app: appId, work } = await makeRelease()
    const connection = await db
      .from('connections')
      .where({ organization_id: world.organizationId, plugin_id: 'github' })
      .firstOrFail()
    await work()
    const { hooks } = reached.github!.code
    assert.lengthOf(hooks, 1)
    const refs = await db
      .from('integration_hooks')
      .where('organization_id', world.organizationId)
      .select('provider_ref')
    assert.deepEqual(
      refs.map((each) => each.provider_ref),
      Array(2).fill(String(hooks[0].id))
    )
    const [code, ci] = integrationsOf(connection.id)
    await world.write((scope) => replaceIntegrations(scope, appId, [ci]))
    await work()
    assert.lengthOf(reached.github!.code.hooks, 1)
    // Without integrations, only the stored rows tell at which repository it was made.
    await world.write((scope) => replaceIntegrations(scope, appId, []))
    await work()
    assert.lengthOf(reached.github!.code.hooks, 0)
    await world.write((scope) => replaceIntegrations(scope, appId, [code]))
    await work()
    assert.lengthOf(reached.github!.code.hooks, 1)
  })

  test('a repository without room for a webhook is reported, and what to do, until there is room', async ({
    assert,
    cleanup,
  }) => {
    cleanup(withPublicUrl())
    const { world, workDue } = await makeRelease()
    const { browser } = await joined(world, true)
    const { hooks } = reached.github!.code
    const others = Array.from({ length: 20 }, (_, index) => index + 1)
    const url = (id: number) => `https://ci.acme.example/${id}`
    hooks.push(...others.map((id) => ({ id, config: { url: url(id) }, events: ['push'] })))
    await workDue()
    const { id } = await db
      .from('connections')
      .where({ organization_id: world.organizationId, plugin_id: 'github' })
      .firstOrFail()
    const page = () => browser.get(`/dashboard/org/${world.organizationId}/integration/${id}`)
    const command = () => runCommand(ProviderCallback, [id, `--org=${world.organizationId}`])
    const advice =
      /has 20 webhooks for one event.*An administrator of the repository removes one that nobody needs/
    assert.match((await page()).text, advice)
    assert.match((await command()).document.failure, advice)
    assert.lengthOf(hooks, 20)
    hooks.shift()
    for (let turn = 0; turn < 2; turn++) await workThrough(world.organizationId)
    assert.notMatch((await page()).text, advice)
    assert.isNull((await command()).document.failure)
    assert.lengthOf(hooks, 20)
  })

  for (const [closed, words] of [
    ['suspended', /lifts the suspension/],
    ['revoked', /rotates the connection/],
  ] as const) {
    test(`a key that is ${closed} blocks the kickoff, which succeeds once the key is valid again`, async ({
      assert,
    }) => {
      const { admin, path, work, detail } = await makeRelease()
      reached.github!.closed = closed
      await admin.put(`${path}/kickoff`)
      await work()
      const { body } = await admin.get(`${path}/whyNotMoving`)
      assert.match(JSON.stringify(body), words)
      assert.isFalse(reached.github!.code.git.branches.has('release/1.1.0'))
      reached.github!.closed = null
      await admin.put(`${path}/kickoff`)
      await work()
      assert.equal((await detail('1.1.0')).releaseBranch, 'release/1.1.0')
    })
  }

  test('a workflow that is deleted after it was listed starts no run', async ({ assert }) => {
    const { admin, path, step, work } = await makeRelease()
    await admin.put(`${path}/kickoff`)
    await work()
    reached.github!.actions.workflows.splice(0)
    const { stepRunId } = await step()
    await admin.post(`${path}/stepRun/${stepRunId}/triggerCI`, {})
    // A dispatch counts against the budget of changes, so its attempts wait for each other.
    for (let turn = 0; turn < 4; turn++) await work()
    assert.lengthOf(reached.github!.actions.runs, 0)
    const { body } = await admin.get(`${path}/timelineEvents`)
    const failed = body.data.find(({ type }: { type: string }) => /ail/.test(type))
    assert.match(JSON.stringify(failed), /release\.yml|workflow/i)
  })
})
