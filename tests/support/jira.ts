import { JiraFake } from '@tarmac/plugin-jira/fake'
import { FakeReset } from '@tarmac/plugin-kit/testing'
import { clock } from '#foundation/core/services'
import { inProcessHosts } from '#integrations/port/in_process'

/** The fake of Jira that the service reaches, on the service's clock; null while it is down. */
export const reached: { jira: JiraFake | null } = { jira: null }

for (const host of ['acme.atlassian.net', 'api.atlassian.com', 'auth.atlassian.com']) {
  const respond = async (request: Request) => {
    if (reached.jira === null) throw new FakeReset()
    return reached.jira.answer(request)
  }
  inProcessHosts.extend({ host, answer: respond }).register()
}

export const makeJira = () => new JiraFake(() => clock.milliseconds())

/** Credentials of a bot that the fake knows. */
export const credentials = { username: 'bot@acme.example', password: 'good-api-token-4711' }
export const settings = { site: 'acme' }
