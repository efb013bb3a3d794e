import { test } from '@japa/runner'
import { liveAccount, LiveProvider, tryLive, type Finding } from '@tarmac/plugin-kit/testing'
import { makeApp } from '../fake/apps.js'
import { GitHubFake } from '../fake/github_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import plugin from '../plugin.js'
import { assumptions } from './support/assumptions.js'
import { contractOfGitHub } from './support/contract.js'

/*
 * The live test with the fake instead of a real account: which calls it makes, which requests it lets
 * through, and how it reports a provider that differs from the assumptions.
 */

const ENVIRONMENT = {
  LIVE_GITHUB_TOKEN: 'good-token-4711',
  LIVE_GITHUB_REPO_NAME: 'acme/app',
  LIVE_GITHUB_WORKFLOW_ID: 'release.yml',
  LIVE_GITHUB_PROJECTS: 'acme/app',
}

async function findingsWith(
  fake: GitHubFake,
  environment: Record<string, string | undefined> = ENVIRONMENT
): Promise<Finding[]> {
  const account = liveAccount(plugin, environment)!
  const contract = async () => ({ default: contractOfGitHub() })
  const out = async (request: Request) => fake.answer(request)
  return tryLive({ plugin, contract, assumptions }, account, out as typeof fetch)
}

function seeded(): GitHubFake {
  const fake = new GitHubFake(Date.now)
  fake.seed(sampleScenario())
  return fake
}

const titlesOf = (findings: readonly Finding[], outcome: Finding['outcome']) =>
  findings.filter((each) => each.outcome === outcome).map(({ title }) => title)

test.group('GitHub with a real account', () => {
  test('checks its assumptions by reading, and changes nothing', async ({ assert }) => {
    const fake = seeded()
    const before = JSON.stringify(fake.state())
    const findings = await findingsWith(fake)
    assert.deepEqual(
      findings.filter(({ outcome }) => outcome === 'contradicted'),
      []
    )
    const confirmed = titlesOf(findings, 'confirmed')
    assert.includeMembers(confirmed, [
      'the credentials are known',
      'other credentials are not',
      'versionControl: a branch that is not there is null',
      'ci: a run that is not there is null',
    ])
    assert.isAbove(confirmed.filter((title) => title.endsWith('is as published')).length, 5)
    assert.equal(JSON.stringify(fake.state()), before)
    assert.isTrue(
      fake.requests().every(({ method, url }) => method === 'GET' || /graphql/.test(url))
    )
  })

  test('reports deviations from assumptions', async ({ assert }) => {
    const fake = seeded()
    const answer = fake.answer.bind(fake)
    fake.answer = async (request) => {
      if (/branches\/tarmac/.test(request.url))
        return Response.json({ message: 'no' }, { status: 418 })
      return answer(request)
    }
    const contradicted = titlesOf(await findingsWith(fake), 'contradicted')
    assert.include(contradicted, 'versionControl: a branch that is not there is null')
  })

  test('finds the runs of the viewer, of a user and of an App', async ({ assert }) => {
    const app = makeApp()
    const asApp = {
      ...ENVIRONMENT,
      ...{ LIVE_GITHUB_TOKEN: undefined, LIVE_GITHUB_APP_ID: app.appId },
      LIVE_GITHUB_INSTALLATION_ID: app.installationId,
      LIVE_GITHUB_PRIVATE_KEY: app.privateKey,
    }
    const found = async (actor: string, environment: Parameters<typeof findingsWith>[1]) => {
      const fake = new GitHubFake(Date.now, [app])
      fake.seed(sampleScenario())
      fake.actions.begin('release.yml', 'main', { actor })
      const findings = await findingsWith(fake, environment)
      return findings.find(({ title }) => title === `ci: ${assumptions[0].title}`)?.outcome
    }
    assert.equal(await found('tarmac-bot', ENVIRONMENT), 'confirmed')
    assert.equal(await found('tarmac[bot]', asApp), 'confirmed')
    assert.equal(await found('ada', ENVIRONMENT), 'unseen')
    assert.equal(await found('tarmac-bot', asApp), 'unseen')
  })

  test('names the variables that it waits for, and tries the rest', async ({ assert }) => {
    const environment = { ...ENVIRONMENT, LIVE_GITHUB_WORKFLOW_ID: undefined }
    assert.deepEqual(liveAccount(plugin, environment)?.missing, ['LIVE_GITHUB_WORKFLOW_ID'])
    const titles = (await findingsWith(seeded(), environment)).map(({ title }) => title)
    assert.isFalse(titles.some((title) => title.startsWith('ci: ')))
    assert.isTrue(titles.some((title) => title.startsWith('versionControl: ')))
    assert.isNull(liveAccount(plugin, {}))
  })

  test('lets no request through that could change something', async ({ assert }) => {
    const fake = seeded()
    const provider = new LiveProvider(plugin, (async (request: Request) =>
      fake.answer(request)) as typeof fetch)
    const send = (method: string, path: string, body?: string) =>
      provider.answer(new Request(`https://api.github.com${path}`, { method, body }))
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      await assert.rejects(() => send(method, '/repos/acme/app/git/refs', '{}'), /is not a read/)
    }
    const graphql = (query: string) => send('POST', '/graphql', JSON.stringify({ query }))
    await assert.rejects(() => graphql('mutation { a }'), /is not a read/)
    await assert.rejects(() => graphql('query { a } mutation { b }'), /is not a read/)
    assert.lengthOf(fake.requests(), 0)
    await assert.doesNotReject(() => graphql('query { a }'))
  })
})
