import { test } from '@japa/runner'
import type {
  ContinuousIntegration,
  IssueTracking,
  ProviderError,
  VersionControl,
} from '@tarmac/plugin-kit'
import { Bench, type Scenario } from '@tarmac/plugin-kit/testing'
import { Refusal } from '../fake/answers.js'
import { GitHubFake } from '../fake/github_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import plugin from '../plugin.js'

/*
 * Behaviour of GitHub that the conformance suite does not cover: names that change, answers without a
 * body, archives around artifacts, older servers.
 */

const options = {
  plugin,
  fake: () => new GitHubFake(),
  credentials: { good: { token: 'good-token-4711' }, bad: { token: 'bad-token-4711' } },
  data: {
    versionControl: { repoName: 'acme/app' },
    ci: { workflowId: 'release.yml' },
    issueTracking: { projects: ['acme/app'] },
  },
}

function benchWith(scenario: Scenario = sampleScenario(), data = options.data) {
  const bench = new Bench({ ...options, data })
  bench.seed(scenario)
  return { bench, fake: bench.fake as GitHubFake }
}

const refusal = (call: Promise<unknown>): Promise<ProviderError> =>
  call.then(
    () => {
      throw new Error('It went well')
    },
    (error: ProviderError) => error
  )

/** Makes a branch that diverged from `main`, with a change that conflicts with one on `main`. */
async function withConflict() {
  const { bench, fake } = benchWith()
  const code: VersionControl = await bench.capability('versionControl')
  const root = fake.code.git.branches.get('main')!.sha
  await code.createBranch('release/1.1.0', root, bench.mutation())
  const commit = (branch: string, files: Record<string, string>) =>
    code.commitFiles(
      branch,
      Object.entries(files).map(([path, text]) => ({ path, text })),
      `Change ${branch}`,
      bench.mutation()
    )
  await commit('release/1.1.0', { 'checkout.txt': 'cash\n', 'release.txt': 'r\n' })
  const { sha } = await commit('main', { 'checkout.txt': 'card and cash\n', 'main.txt': 'm\n' })
  return { bench, fake, code, sha }
}

test.group('GitHub | code', () => {
  test('a merge that conflicts names the files that both sides changed', async ({ assert }) => {
    const { bench, code, fake } = await withConflict()
    const before = fake.code.git.branches.get('release/1.1.0')
    const error = await refusal(
      code.mergeBranch!('main', 'release/1.1.0', 'Merge', bench.mutation())
    )
    assert.equal(error.code, 'conflict')
    assert.deepEqual(
      error.detail.fields?.map(({ path }) => path),
      ['checkout.txt']
    )
    assert.deepEqual(fake.code.git.branches.get('release/1.1.0'), before)
  })

  test('a cherry-pick that conflicts names its files, and leaves no branch behind', async ({
    assert,
  }) => {
    const { bench, code, fake, sha } = await withConflict()
    const branches = [...fake.code.git.branches.keys()]
    const pick = () => code.cherryPick(sha, 'release/1.1.0', 'release/1.1.0', bench.mutation())
    const error = await refusal(pick())
    assert.deepEqual([error.code, error.detail.reason], ['conflict', 'merge_conflict'])
    assert.deepEqual(
      error.detail.fields?.map(({ path }) => path),
      ['checkout.txt']
    )
    assert.deepEqual([...fake.code.git.branches.keys()], branches)
  })

  test('a branch that an interrupted cherry-pick left behind does no harm', async ({ assert }) => {
    const { bench, fake } = benchWith()
    const code: VersionControl = await bench.capability('versionControl')
    const [first] = fake.code.git.history(fake.code.git.branches.get('main')!.sha).reverse()
    await code.createBranch('release/1.1.0', first.sha, bench.mutation())
    const fix = fake.code.git.branches.get('main')!.sha
    const mutation = bench.mutation()
    const pick = () => code.cherryPick(fix, 'release/1.1.0', 'release/1.1.0', mutation)
    // The answer to the deletion is lost, and the caller retries.
    const { length } = fake.requests()
    await pick()
    const calls = fake.requests().length - length
    const again = benchWith()
    const other: VersionControl = await again.bench.capability('versionControl')
    await other.createBranch('release/1.1.0', first.sha, mutation)
    for (let lost = 0; lost < calls; lost++) {
      again.fake.failNext(...Array.from({ length: lost }, () => 'pass' as const), 'lost')
      await other.cherryPick(fix, 'release/1.1.0', 'release/1.1.0', mutation).catch(() => {})
    }
    await other.cherryPick(fix, 'release/1.1.0', 'release/1.1.0', mutation)
    const { git } = again.fake.code
    assert.sameMembers([...git.branches.keys()], ['main', 'release/1.1.0'])
    const picked = git.history(git.branches.get('release/1.1.0')!.sha)
    assert.lengthOf(
      picked.filter(({ message }) => message.startsWith('Pay by card')),
      1
    )
  })

  test('a merge that GitHub refuses keeps its meaning, the remedy and GitHub’s own text', async ({
    assert,
  }) => {
    const { bench, code, fake } = await withConflict()
    const pull = await code.openPullRequest!('release/1.1.0', 'main', 'Back', '', bench.mutation())
    const merge = async (sha = pull.sha) => {
      const call = code.mergePullRequest!(pull.number, 'merge', sha, bench.mutation())
      const { code: reported, detail } = await refusal(call)
      return { code: reported, ...detail }
    }
    const none = { outcome: 'notApplied' }
    assert.containsSubset(await merge(), {
      ...{ ...none, code: 'conflict', status: 405, raw: 'Pull Request is not mergeable' },
      action: 'An engineer merges the target into its branch, and resolves the conflict.',
    })
    assert.containsSubset(await merge('a'.repeat(40)), {
      ...{ ...none, code: 'conflict', status: 409 },
      raw: 'Head branch was modified. Review and try the merge again.',
      action: 'Whoever merges looks at the new commits first, and asks again.',
    })
    fake.code.git.branches.get('main')!.protected = true
    assert.containsSubset(await merge(), {
      ...{ ...none, code: 'preconditionFailed', status: 405 },
      raw: 'Required status check "build" is expected.',
      action: 'Whoever owns the check has it run, or mends what it found.',
    })
    fake.code.mergePull = () => {
      throw new Refusal(405, 'Merge commits are not allowed on this repository.')
    }
    assert.containsSubset(await merge(), {
      ...{ ...none, code: 'conflict', status: 405 },
      reason: 'Merge commits are not allowed on this repository.',
    })
  })

  test('every call reports a renamed repository as such', async ({ assert }) => {
    const data = { ...options.data, versionControl: { repoName: 'acme/old-name' } }
    const { bench } = benchWith(sampleScenario(), data)
    const code: VersionControl = await bench.capability('versionControl')
    for (const call of [
      () => code.getBranch('main'),
      () => code.readFile('README.md', 'main'),
      () => code.createBranch('x', 'a'.repeat(40), bench.mutation()),
    ]) {
      const error = await refusal(call())
      assert.equal(error.code, 'notFound')
      assert.match(error.message, /renamed or transferred/)
      assert.equal(error.detail.outcome, 'notApplied')
    }
  })

  test('a hidden repository is not reported as a missing branch', async ({ assert }) => {
    const data = { ...options.data, versionControl: { repoName: 'acme/hidden' } }
    const { bench } = benchWith(sampleScenario(), data)
    const code: VersionControl = await bench.capability('versionControl')
    assert.equal((await refusal(code.getBranch('main'))).code, 'notFound')
    assert.equal((await refusal(code.getPullRequest!(1))).code, 'notFound')
    assert.equal((await refusal(code.listTags(''))).code, 'notFound')
  })
})

test.group('GitHub | Actions', () => {
  const open = async (scenario?: Scenario) => {
    const { bench, fake } = benchWith(scenario)
    const ci: ContinuousIntegration = await bench.capability('ci')
    return { bench, fake, ci }
  }

  test('a run that an older server does not name is found by its workflow and branch', async ({
    assert,
  }) => {
    const { bench, fake, ci } = await open()
    fake.actions.reportsRuns = false
    const begun = await ci.trigger('release.yml', { branch: 'main' }, {}, bench.mutation())
    assert.property(begun, 'pendingToken')
    const { pendingToken } = begun as { pendingToken: string }
    const run = await ci.resolvePending!(pendingToken)
    assert.equal(run?.branch, 'main')
    assert.equal(run?.id, String(fake.actions.runs[0].id))
  })

  test('a missing branch starts no run', async ({ assert }) => {
    const { bench, fake, ci } = await open()
    const error = await refusal(
      ci.trigger('release.yml', { branch: 'nowhere' }, {}, bench.mutation())
    )
    assert.equal(error.code, 'invalid')
    assert.match(error.message, /No ref found for: nowhere/)
    assert.isEmpty(fake.actions.runs)
  })

  test('a deleted workflow is not found', async ({ assert }) => {
    const { bench, fake, ci } = await open()
    fake.actions.workflows.pop()
    const error = await refusal(ci.trigger('release.yml', { branch: 'main' }, {}, bench.mutation()))
    assert.equal(error.code, 'notFound')
  })
})

test.group('GitHub | webhooks', () => {
  test('a repository has one webhook per address, however often it is requested', async ({
    assert,
  }) => {
    const { bench, fake } = benchWith()
    const { default: webhooks } = await plugin.webhooks!()
    const ctx = bench.context('versionControl')
    const address = 'https://tarmac.acme.example/hooks/github/1'
    const first = await webhooks.ensure(ctx, address, 'a secret')
    const again = await webhooks.ensure(ctx, address, 'another secret')
    assert.isNotNull(first)
    assert.deepEqual(again, first)
    const [hook, ...others] = fake.code.hooks
    assert.isEmpty(others)
    assert.deepEqual(hook.config.secret, 'another secret')
    assert.deepEqual(hook.events, plugin.manifest.webhooks?.events)
    await webhooks.remove(ctx, first!)
    await webhooks.remove(ctx, first!)
    assert.isEmpty(fake.code.hooks)
  })

  test('it is found among more webhooks than a page holds', async ({ assert }) => {
    const { bench, fake } = benchWith()
    const { default: webhooks } = await plugin.webhooks!()
    const ctx = bench.context('versionControl')
    const address = 'https://tarmac.acme.example/x'
    for (let id = 1; id <= 130; id++) {
      const url = id === 120 ? address : `https://other.example/${id}`
      fake.code.hooks.push({ id, config: { url }, events: [`event ${id}`] })
    }
    assert.deepEqual(await webhooks.ensure(ctx, address, 'a secret'), { id: '120' })
    assert.lengthOf(fake.code.hooks, 130)
  })

  test('integrations that request it at once share it', async ({ assert }) => {
    const { bench, fake } = benchWith()
    const { default: webhooks } = await plugin.webhooks!()
    const made = await Promise.all(
      (['versionControl', 'ci'] as const).map((kind) =>
        webhooks.ensure(bench.context(kind), 'https://tarmac.acme.example/x', 'a secret')
      )
    )
    assert.deepEqual(made, [{ id: '1' }, { id: '1' }])
    assert.lengthOf(fake.code.hooks, 1)
  })

  test('the App’s own secret is accepted, too, and no webhook is made beside that of the App', async ({
    assert,
  }) => {
    const { bench, fake } = benchWith()
    const { default: webhooks } = await plugin.webhooks!()
    const app = { ...bench.context('versionControl'), secret: () => 'secret of the App' }
    assert.isNull(await webhooks.ensure(app, 'https://tarmac.acme.example/x', 'ours'))
    assert.isEmpty(fake.code.hooks)
    const receivedAt = new Date(bench.nowMs)
    const sent = (secret: string) => ({
      ...fake.deliverWebhook('push', { secret, at: bench.nowMs }),
      receivedAt,
    })
    const own = { webhookSecret: 'secret of the App' }
    assert.isTrue(webhooks.verify(sent('secret of the App'), [], own))
    assert.isTrue(webhooks.verify(sent('ours'), ['ours'], own))
    assert.isFalse(webhooks.verify(sent('secret of the App'), ['ours'], {}))
    assert.isFalse(webhooks.verify(sent('another'), ['ours'], own))
  })

  test('an event is for the integrations of its repository', async ({ assert }) => {
    const { bench, fake } = benchWith()
    const { default: webhooks } = await plugin.webhooks!()
    const sent = fake.deliverWebhook('push', { secret: 's', at: bench.nowMs })
    const [event] = webhooks.parse({ ...sent, receivedAt: new Date(bench.nowMs) })
    const { repository } = event.hint as { repository: string }
    const other = { id: 'app_2', repository: 'acme/other' }
    const own = { id: 'app_1', repository }
    const about = (data: Record<string, unknown>, app = other) =>
      webhooks.concerns!(event, { data, app })
    assert.isTrue(about({ repoName: repository.toUpperCase() }))
    assert.isFalse(about({ repoName: 'acme/other' }, own))
    assert.isTrue(about({ workflowId: 'release.yml' }, own))
    assert.isFalse(about({ workflowId: 'release.yml' }))
    assert.isFalse(about({ 'workflowId': 'release.yml', 'x-repository': 'acme/ci' }, own))
    assert.isTrue(about({ projects: ['acme/other', repository] }))
    assert.isFalse(webhooks.concerns!(event, { data: {}, app: null }))
  })
})

test.group('GitHub | issues', () => {
  const open = async () => {
    const { bench, fake } = benchWith({
      issueTracking: {
        statuses: [],
        tickets: [
          {
            ...{ key: 'acme/app#12', project: 'acme/app', title: 'It crashes', status: 'Open' },
            ...{ labels: [], versions: [] },
          },
        ],
        versions: [],
      },
    })
    const tracker: IssueTracking = await bench.capability('issueTracking')
    return { bench, fake, tracker }
  }

  test('a number alone is an issue of the one repository', async ({ assert }) => {
    const { tracker } = await open()
    assert.equal((await tracker.get('#12'))?.key, 'acme/app#12')
    assert.equal(await tracker.get('APP-12'), null)
    const { items } = await tracker.search({ projects: ['acme/app'], keys: ['#12', 'APP-1'] })
    assert.deepEqual(
      items.map(({ key, askedAs }) => [key, askedAs]),
      [['acme/app#12', '#12']]
    )
    // With several repositories a bare number is no issue, and does not prevent others from being found.
    const projects = ['acme/app', 'acme/other']
    const found = await tracker.search({ projects, keys: ['#12', 'acme/app#12'] })
    assert.deepEqual(
      found.items.map(({ key }) => key),
      ['acme/app#12']
    )
  })

  test('an issue that was transferred is none of this repository, and others are found', async ({
    assert,
  }) => {
    const { fake, tracker } = await open()
    fake.issues.transferred.add(11)
    assert.isNull(await tracker.get('#11'))
    const keys = ['acme/app#11', 'acme/app#12']
    const { items } = await tracker.search({ projects: ['acme/app'], keys })
    assert.deepEqual(
      items.map(({ key }) => key),
      ['acme/app#12']
    )
  })

  test('an issue of a renamed repository is not reported as a missing one', async ({ assert }) => {
    const { tracker } = await open()
    const search = tracker.search({ projects: ['acme/old-name'], keys: ['acme/old-name#12'] })
    assert.match((await refusal(search)).message, /renamed or transferred/)
  })

  test('a milestone that is closed already keeps its date', async ({ assert }) => {
    const { bench, fake, tracker } = await open()
    const release = (day: string) => {
      const time = { at: `${day}T12:00:00.000Z`, day }
      return tracker.releaseVersion!('acme/app', '1.2.0', time, bench.mutation())
    }
    await tracker.ensureVersion!('acme/app', '1.2.0', bench.mutation())
    await release('2026-11-18')
    const before = fake.state().issueTracking!.versions
    await release('2026-11-20')
    assert.match(before[0].releasedAt!, /^2026-11-18/)
    assert.deepEqual(fake.state().issueTracking!.versions, before)
  })
})
