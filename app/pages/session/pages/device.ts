import type { HttpContext } from '@adonisjs/core/http'
import { clock } from '#foundation/core/services'
import { addresses } from '../../addresses.js'
import { relativeText } from '../../words/times.js'
import {
  decideDeviceLogin,
  findDeviceLogin,
  shownCode,
  typedCode,
  type DeviceLogin,
} from '../actions/device_login.js'
import { fieldOf, seeOther, spanOf, STALE } from '../forms.js'
import { AttemptLimits } from '../attempt_limits.js'
import type { Page } from '../page.js'
import { renderView } from '../render_view.js'
import { signedInOf, type SignedIn } from '../signed_in.js'

const UNKNOWN_CODE =
  'No program is waiting with this code. A code works once, for 10 minutes; check the program again.'

const TITLE = 'Sign in a program'

/** Returns who is signed in. Pages below `/dashboard` require a session. */
const reader = (http: HttpContext): SignedIn => signedInOf(http)!

/** Asks for a code, with the error of the previous one. */
async function ask(http: HttpContext, code: string, fault: string | null = null): Promise<void> {
  if (fault !== null && http.response.getStatus() === 200) http.response.status(422)
  const said: unknown = http.session.flashMessages.get('done', null)
  await renderView(http, 'device', {
    title: TITLE,
    action: addresses.device,
    code,
    said: typeof said === 'string' ? said : null,
    errors: { code: fault },
    login: null,
  })
}

/** Shows the program that asks to be signed in, and its address. */
async function show(http: HttpContext, login: DeviceLogin, fault?: string): Promise<void> {
  const { account } = reader(http)
  const { client, address, createdAt, userCode } = login
  if (fault !== undefined && http.response.getStatus() === 200) http.response.status(422)
  await renderView(http, 'device', {
    title: TITLE,
    action: addresses.device,
    code: shownCode(userCode),
    errors: { code: null, form: fault },
    login: {
      ...{ client, address, createdAt },
      asked: relativeText(createdAt, clock.now()) ?? createdAt,
      email: account.email,
      organizations: await reader(http).organizations(),
      last: await reader(http).lastOrganization(),
    },
  })
}

/** Calls `then` with the program of a code. Limits attempts, so that codes cannot be guessed. */
async function withLogin(
  http: HttpContext,
  typed: string,
  then: (login: DeviceLogin) => Promise<void>
): Promise<void> {
  const code = typedCode(typed)
  if (code === '') return ask(http, '')
  const limits = new AttemptLimits(reader(http).account.email, http.request.ip(), 'device-code')
  const wait = await limits.wait()
  if (wait > 0) {
    http.response.status(429).header('retry-after', String(wait))
    return ask(http, typed, `Too many attempts. Try again in ${spanOf(wait)}.`)
  }
  const login = await findDeviceLogin(code)
  if (!login) return ask(http, typed, UNKNOWN_CODE)
  await limits.reset()
  await then(login)
}

/** Asks for the code of a program, or shows the program of the code in its address. */
export const devicePage: Page = {
  isSecret: true,
  handle: (http) =>
    withLogin(http, String(http.request.qs().code ?? ''), (login) => show(http, login)),
}

/** Confirms a program or refuses it. */
export const decide: Page = {
  isSecret: true,
  showAgain: (http) => withLogin(http, fieldOf(http, 'code'), (login) => show(http, login, STALE)),
  handle: (http) =>
    withLogin(http, fieldOf(http, 'code'), async (login) => {
      const isConfirmed = fieldOf(http, 'decision') === 'confirm'
      const organizationId = fieldOf(http, 'organization')
      const person = isConfirmed ? await reader(http).principalOf(organizationId) : null
      if (isConfirmed && !person) return show(http, login, 'Choose an organization.')
      const by = person && { organizationId, userId: person.actor.id! }
      if (!(await decideDeviceLogin(login, by))) return ask(http, '', UNKNOWN_CODE)
      const done = isConfirmed ? 'is signed in. Go back to it.' : 'is refused.'
      http.session.flash('done', `${login.client} ${done}`)
      seeOther(http, addresses.device)
    }),
}
