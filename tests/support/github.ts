import db from '@adonisjs/lucid/services/db'
import { GitHubFake, makeApp } from '@tarmac/plugin-github/fake'
import { FakeReset } from '@tarmac/plugin-kit/testing'
import { clock } from '#foundation/core/services'
import { inProcessHosts } from '#integrations/port/in_process'
import type { IntegrationConfiguration } from '#integrations/settings'

/** The fake of GitHub that the service reaches; it uses the clock of the service. */
export const reached: {
  /** Null while GitHub is down. */
  github: GitHubFake | null
  /** Intercepts each request to the fake, for example to limit the rate. */
  before: (request: Request, respond: () => Promise<Response>) => Promise<Response>
} = { github: null, before: (_, respond) => respond() }

for (const host of ['api.github.com', 'productionresultssa0.blob.core.windows.net']) {
  const respond = (request: Request) =>
    reached.before(request, async () => {
      if (reached.github === null) throw new FakeReset()
      return reached.github.answer(request)
    })
  inProcessHosts.extend({ host, answer: respond }).register()
}

/** Credentials of a GitHub App that the fake knows. */
export const credentials = makeApp()

export const makeGitHub = () => new GitHubFake(() => clock.milliseconds(), [credentials])

/**
 * Returns a new fake with the same content, as after a restart of GitHub: issued tokens are unknown
 * to it.
 */
export function restarted(before: GitHubFake): GitHubFake {
  const after = makeGitHub()
  after.seed(before.state())
  return after
}

/** Returns the integrations of an app that has its code and its CI at GitHub. */
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

/** Sets the branch settings of an app. */
export const setBranches = (appId: string) =>
  db
    .from('apps')
    .where('id', appId)
    .update({ branch_settings: JSON.stringify([BRANCHES]) })
