import { allProblems } from '#foundation/core/problems/catalog'
import type { Page } from '../session/page.js'
import { renderProblem } from '../session/render_view.js'

const UNKNOWN = 'authorization_unknown'

const NOTHING_WAITS =
  'Nothing waits for this answer: it was taken before, is older than ten minutes, or did not begin here. See under Providers whether it is connected. If it is not, connect it again.'

/** Says why the answer that a browser has brought from a provider was refused. */
export const notConnectedPage: Page = {
  isOpen: true,
  async handle(http) {
    const { why } = http.request.qs() as { why?: unknown }
    const code = typeof why === 'string' && allProblems().has(why) ? why : UNKNOWN
    const [status, title, help] = allProblems().get(code)!
    const detail = code === UNKNOWN ? NOTHING_WAITS : `${title}. ${help}`
    await renderProblem(http, { status, title: 'Not connected', detail })
  },
}
