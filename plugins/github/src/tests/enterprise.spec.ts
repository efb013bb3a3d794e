import { test } from '@japa/runner'
import type {
  ContinuousIntegration,
  IssueTracking,
  ProviderError,
  VersionControl,
} from '@tarmac/plugin-kit'
import { Bench, registerProviderConformance } from '@tarmac/plugin-kit/testing'
import { makeApp } from '../fake/apps.js'
import { GitHubFake } from '../fake/github_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import plugin from '../plugin.js'

/* A connection to a GitHub Enterprise Server: only `connection.host` differs. */

const SERVER = 'https://github.acme.example:8443'

const app = makeApp()

function makeServer() {
  const fake = new GitHubFake(undefined, [app])
  fake.server = SERVER
  return fake
}

const options = {
  plugin,
  fake: makeServer,
  settings: { host: 'github.acme.example:8443' },
  credentials: {
    good: app,
    bad: { ...app, installationId: '99' },
  },
  data: {
    versionControl: { repoName: 'acme/app' },
    ci: { workflowId: 'release.yml' },
    issueTracking: { projects: ['acme/app'] },
  },
}

registerProviderConformance({
  ...options,
  test,
  tickets: {
    keyOf: (project, number) => `${project}#${number}`,
    ...{ todo: 'Open', doing: 'Open', done: 'Completed' },
    assignee: 'ada',
    hasOneVersion: true,
  },
  live: false,
})

function benchWithArtifact() {
  const bench = new Bench(options)
  const scenario = sampleScenario()
  const run = { id: '5', workflowId: 'release.yml', branch: 'main', sha: 'a'.repeat(40) }
  scenario.ci!.runs = [{ ...run, state: 'succeeded' }]
  scenario.ci!.artifacts = [
    { id: '9', runId: '5', name: 'app.apk', content: 'an app', isExpired: false },
  ]
  scenario.issueTracking = {
    ...{ statuses: [], versions: [] },
    tickets: [
      {
        ...{ key: 'acme/app#12', project: 'acme/app', title: 'It crashes', status: 'Open' },
        ...{ labels: [], versions: [] },
      },
    ],
  }
  bench.seed(scenario)
  return { bench, fake: bench.fake as GitHubFake }
}

/** Returns the different beginnings of the addresses that the plugin called. */
const calledIn = (fake: GitHubFake) => [
  ...new Set(fake.requests().map(({ url }) => /^[^?]+?(?=\/repos\/|\/app\/|$|\?)/.exec(url)![0])),
]

test.group('GitHub | Enterprise Server', () => {
  test('REST, GraphQL and tokens of an App are asked for at the server', async ({ assert }) => {
    const { bench, fake } = benchWithArtifact()
    const code: VersionControl = await bench.capability('versionControl')
    await code.getBranch('main')
    await code.listTags('')
    const { default: lifecycle } = await plugin.lifecycle()
    assert.equal((await lifecycle.check(bench.context(null))).account, 'acme (App, acme/app)')
    assert.sameMembers(calledIn(fake), [
      `${SERVER}/api/v3`,
      `${SERVER}/api/graphql`,
      `${SERVER}/api/v3/installation/repositories`,
    ])
    assert.isEmpty(bench.refused)
  })

  test('links lead to the server', async ({ assert }) => {
    const { bench } = benchWithArtifact()
    const code: VersionControl = await bench.capability('versionControl')
    const ci: ContinuousIntegration = await bench.capability('ci')
    const tracker: IssueTracking = await bench.capability('issueTracking')
    const { sha } = (await code.getBranch('main'))!
    await code.createBranch('release/1.1.0', sha, bench.mutation())
    const change = { path: 'a.txt', text: 'a' }
    await code.commitFiles('release/1.1.0', [change], 'Add a file', bench.mutation())
    const pull = await code.openPullRequest!('release/1.1.0', 'main', 'Back', '', bench.mutation())
    const links = [
      (await code.createRelease!('v1.0.0', '1.0.0', '', bench.mutation())).url,
      (await code.createTag('v1.1.0', sha, '1.1.0', bench.mutation())).url,
      pull.url,
      (await ci.getRun('5'))?.url,
      (await tracker.get('acme/app#12'))?.url,
    ]
    for (const link of links) assert.isTrue(link?.startsWith(`${SERVER}/acme/app/`), link)
  })

  test('an artifact is read from the server, by a link that takes no credentials', async ({
    assert,
  }) => {
    const { bench, fake } = benchWithArtifact()
    const ci: ContinuousIntegration = await bench.capability('ci')
    const [file] = await ci.listArtifacts('5')
    const read = await new Response((await ci.openArtifact('5', file.id)) as never).text()
    assert.equal(read, 'an app')
    const downloads = fake.requests().filter(({ url }) => url.includes('/_services/'))
    assert.isNotEmpty(downloads)
    for (const { headers } of downloads) assert.notProperty(headers, 'authorization')
  })

  test('an artifact in the Azure storage of the server is read, and no other place is asked', async ({
    assert,
  }) => {
    for (const [place, isRead] of [
      ['https://acme0.blob.core.windows.net', true],
      ['https://acme.storage.example', false],
    ] as const) {
      const { bench, fake } = benchWithArtifact()
      fake.storage = place
      const ci: ContinuousIntegration = await bench.capability('ci')
      const listed = await ci.listArtifacts('5').then(
        (files) => files.map(({ name }) => name),
        ({ code, message, detail }: ProviderError) => [code, detail.reason, message]
      )
      const said =
        'Tarmac does not read artifacts from acme.storage.example. Whoever runs the server stores them on it, or in Azure Blob Storage.'
      assert.deepEqual(listed, isRead ? ['app.apk'] : ['forbidden', 'hostNotAllowed', said])
      assert.equal(
        fake.requests().some(({ url }) => url.startsWith(place)),
        isRead
      )
    }
  })
})
