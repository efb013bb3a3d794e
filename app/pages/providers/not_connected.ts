import { allProblems } from '#foundation/core/problems/catalog'
import type { Page } from '../session/page.js'
import { renderProblem } from '../session/render_view.js'

const UNKNOWN = 'authorization_unknown'

const NOT_EXPECTED =
  'Nothing is waiting for this response: it was used before, is older than ten minutes, or was not requested here. Check under Providers whether it is connected. If it is not, connect it again.'

/** Shows why the redirect of a provider was refused. */
export const notConnectedPage: Page = {
  isOpen: true,
  async handle(http) {
    const { why } = http.request.qs() as { why?: unknown }
    const code = typeof why === 'string' && allProblems().has(why) ? why : UNKNOWN
    const [status, title, help] = allProblems().get(code)!
    const detail = code === UNKNOWN ? NOT_EXPECTED : `${title}. ${help}`
    await renderProblem(http, { status, title: 'Not connected', detail })
  },
}
