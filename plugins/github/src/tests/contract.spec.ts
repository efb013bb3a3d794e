import { test } from '@japa/runner'
import type { ContinuousIntegration, VersionControl } from '@tarmac/plugin-kit'
import { Bench, type Exchange } from '@tarmac/plugin-kit/testing'
import { makeApp } from '../fake/apps.js'
import { GitHubFake } from '../fake/github_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import plugin from '../plugin.js'
import { contractFaults, contractOfGitHub } from './support/contract.js'

/*
 * The check against GitHub's description detects what does not match it: otherwise it proves
 * nothing.
 */

const REPO = '/repos/acme/app'

const exchange = (method: string, path: string, sent?: unknown): Exchange => ({
  method,
  url: `https://api.github.com${path}`,
  headers: {},
  body: sent === undefined ? '' : JSON.stringify(sent),
  response: null,
})

const answered = (status: number, answer: unknown): Exchange => ({
  ...exchange('GET', `${REPO}/milestones`),
  response: {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  },
})

const contract = contractOfGitHub()
const faultsOf = (given: Exchange) => contractFaults([given], contract)

const viewed = (viewer: object): Exchange => ({
  ...exchange('POST', '/graphql', { query: '{ viewer { login } }' }),
  response: { status: 200, headers: {}, body: JSON.stringify({ data: { viewer } }) },
})
const NUMBERED =
  'query ($n: Int!) { repository(owner: "a", name: "b") { pullRequest(number: $n) { title } } }'
const query = (text: string, variables: object = {}) =>
  exchange('POST', '/graphql', { query: text, variables })

const REF = { ref: 'refs/heads/a', sha: 'a'.repeat(40) }

test.group('GitHub’s description', () => {
  for (const [what, given, fault] of [
    ['an operation', exchange('GET', `${REPO}/weather`), /is no operation/],
    ['a parameter', exchange('GET', `${REPO}/milestones?colour=red`), /additional.*colour/],
    ['a value', exchange('GET', `${REPO}/milestones?state=shut`), /state must be equal/],
    ['a number', exchange('GET', `${REPO}/actions/runs/latest`), /run_id must be integer/],
    ['a missing body', exchange('POST', `${REPO}/git/refs`), /no body/],
    ['a member', exchange('POST', `${REPO}/git/refs`, { ...REF, force: 1 }), /additional/],
    ['a missing member', exchange('POST', `${REPO}/git/refs`, { ref: REF.ref }), /'sha'/],
    ['a type', exchange('POST', `${REPO}/git/refs`, { ...REF, sha: 7 }), /string/],
    ['a status', answered(202, []), /answers 202/],
    ['a member of an answer', answered(200, [{ number: 1, colour: 'red' }]), /additional/],
    ['a query', query('{ weather }'), /weather/],
    ['a variable', query(NUMBERED, { n: 'one' }), /Int cannot represent/],
    ['a missing variable', query(NUMBERED), /"\$n" of required type/],
    ['a member of an answer to a query', viewed({ login: 'ada', id: 1 }), /instead of/],
    ['a missing member of such an answer', viewed({}), /null for non-nullable/],
  ] as const) {
    test(`finds ${what} that GitHub does not know`, ({ assert }) => {
      assert.match(faultsOf(given).join(), fault)
    })
  }

  test('accepts what matches', ({ assert }) => {
    const fitting = [
      exchange('POST', `${REPO}/git/refs`, REF),
      exchange('GET', `${REPO}/milestones?state=all&per_page=100&page=2`),
      exchange('GET', `${REPO}/actions/workflows/release.yml/runs`),
      answered(200, [{ number: 1 }]),
      query(NUMBERED, { n: 1 }),
      viewed({ login: 'ada' }),
    ]
    assert.deepEqual(contractFaults(fitting, contract), [])
  })
})

/*
 * Requests of the plugin beside the capabilities that the conformance suite tours.
 */

const app = makeApp()
const large = 'large\n'.repeat(200_000)

/** Returns the requests of everything in turn, as an App, with the fake's answers. */
async function beyondTheSuite(): Promise<readonly Exchange[]> {
  const bench = new Bench({
    plugin,
    fake: () => new GitHubFake(undefined, [app]),
    credentials: { good: app, bad: {} },
    data: { versionControl: { repoName: 'acme/app' }, ci: { workflowId: 'release.yml' } },
  })
  const scenario = sampleScenario()
  const run = { id: '5', workflowId: 'release.yml', branch: 'main', sha: 'a'.repeat(40) }
  scenario.ci!.runs = [{ ...run, state: 'succeeded' }]
  scenario.ci!.artifacts = [
    { id: '9', runId: '5', name: 'app.apk', content: 'an app', isExpired: false },
  ]
  scenario.versionControl!.commits.at(-1)!.files.push({ path: 'large.txt', text: large })
  bench.seed(scenario)
  const fake = bench.fake as GitHubFake

  const back = {
    returnTo: 'https://tarmac.example/back',
    state: 's',
    serviceUrl: 'https://a.example',
  }
  const { default: setup } = await plugin.setup!()
  const code = fake.apps.submitManifest()
  await setup.proceed(bench.context(null), { code }, { ...back, credentials: {} })
  const { default: lifecycle } = await plugin.lifecycle()
  await lifecycle.check(bench.context(null))

  const { default: webhooks } = await plugin.webhooks!()
  const ctx = bench.context('versionControl')
  for (let turn = 0; turn < 2; turn++) await webhooks.ensure(ctx, back.returnTo, 'a secret')
  await webhooks.remove(ctx, { id: '1' })

  const repository: VersionControl = await bench.capability('versionControl')
  const { sha } = (await repository.getBranch('main'))!
  await repository.createTag('v1.1.0', sha, '1.1.0', bench.mutation())
  await repository.listTags('')
  const file = await repository.readFile('large.txt', 'main')
  if (file?.text !== large) throw new Error('A large file is read in another form')

  const ci: ContinuousIntegration = await bench.capability('ci')
  fake.actions.begin('release.yml', 'main', { actor: 'tarmac[bot]' })
  const inDoubtSince = new Date(bench.nowMs).toISOString()
  await ci.trigger('release.yml', { branch: 'main' }, {}, { ...bench.mutation(), inDoubtSince })
  const [{ id }] = await ci.listArtifacts('5')
  await new Response((await ci.openArtifact('5', id)) as never).bytes()
  return fake.requests()
}

test.group('GitHub | requests beyond the suite', () => {
  test('each is one that GitHub describes, and so is its answer', async ({ assert }) => {
    const exchanges = await beyondTheSuite()
    assert.deepEqual(contractFaults(exchanges, contract), [])
    const asked = contract
      .filter(({ method, path }) =>
        exchanges.some((each) => each.method === method && path.test(new URL(each.url).pathname))
      )
      .map(({ id }) => id)
    assert.includeMembers(asked, [
      'POST /app-manifests/{code}/conversions',
      'POST /app/installations/{installation_id}/access_tokens',
      'GET /installation/repositories',
      'GET /repos/{owner}/{repo}/hooks',
      'POST /repos/{owner}/{repo}/hooks',
      'PATCH /repos/{owner}/{repo}/hooks/{hook_id}',
      'DELETE /repos/{owner}/{repo}/hooks/{hook_id}',
      'GET /repos/{owner}/{repo}/git/blobs/{file_sha}',
      'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}',
      'POST /graphql',
      'GET artifact',
    ])
  })
})
