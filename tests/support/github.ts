import { generateKeyPairSync } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { GitHubFake } from '@tarmac/plugin-github/fake'
import { FakeReset } from '@tarmac/plugin-kit/testing'
import { clock } from '#foundation/core/services'
import { inProcessHosts } from '#integrations/port/in_process'
import type { IntegrationConfiguration } from '#integrations/settings'

/** GitHub as the service reaches it, in the time of the service. */
export const reached: {
  /** Null while it is away. */
  github: GitHubFake | null
  /** Stands before it, such as its limits. */
  before: (request: Request, answer: () => Promise<Response>) => Promise<Response>
} = { github: null, before: (_, answer) => answer() }

for (const host of ['api.github.com', 'productionresultssa0.blob.core.windows.net']) {
  const answer = (request: Request) =>
    reached.before(request, async () => {
      if (reached.github === null) throw new FakeReset()
      return reached.github.answer(request)
    })
  inProcessHosts.extend({ host, answer }).register()
}

export const makeGitHub = () => new GitHubFake(() => clock.milliseconds())

/** GitHub is another process with the same content: tokens that it gave out are gone. */
export function restarted(before: GitHubFake): GitHubFake {
  const after = makeGitHub()
  after.seed(before.state())
  return after
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
/** Those of an App that the fake knows. */
export const credentials = { appId: '12345', installationId: '4711', privateKey }

/** The integrations of an app whose code and builds are at GitHub, the code first. */
export const integrationsOf = (
  provider: string,
  repoName = 'acme/app'
): IntegrationConfiguration[] => [
  { key: 'code', type: 'github-vcs', kind: 'versionControl', provider, data: { repoName } },
  { key: 'ci', type: 'github-ci', kind: 'ci', provider, data: { workflowId: 'release.yml' } },
]

const BRANCHES = {
  integration: 'code',
  allPattern: 'release/{version}',
  hotfixPattern: 'hotfix/{version}',
  workingBranch: 'main',
}

/** Names the branches of an app. */
export const setBranches = (appId: string) =>
  db
    .from('apps')
    .where('id', appId)
    .update({ branch_settings: JSON.stringify([BRANCHES]) })
