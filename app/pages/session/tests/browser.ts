import limiter from '@adonisjs/limiter/services/main'
import { randomText } from '#foundation/core/ids'
import { CreateUser } from '#organizations/actions/create_user'
import type { World } from '#tests/support/world'
import { CreateSignInLink } from '../actions/create_sign_in_link.js'

export const PASSWORD = 'correct horse battery'

/** A page as it was received. */
export interface Shown {
  status: number
  headers: Headers
  text: string
  /** The path that it leads to. */
  location: string | null
}

/** Fields of a form; one of several values is a list. */
export type Fields = Readonly<Record<string, string | readonly string[]>>

interface Sent {
  headers?: Record<string, string>
  /** The token of another page in place of this one's; null for none. */
  token?: string | null
  /** More of the body, which is written already. */
  written?: string
}

const base = () => `http://${process.env.HOST}:${process.env.PORT}`

/** A browser without script: it keeps cookies, and sends forms with the token of their page. */
export class Browser {
  readonly cookies = new Map<string, string>()
  /** The token of forms of the page that was shown last. */
  token: string | null = null

  constructor(private readonly headers: Record<string, string> = {}) {}

  get = (path: string, headers: Record<string, string> = {}): Promise<Shown> =>
    this.#send(path, { headers })

  post(path: string, fields: Fields = {}, sent: Sent = {}) {
    const { headers, token = this.token, written } = sent
    const body = new URLSearchParams()
    for (const [name, given] of Object.entries(fields)) {
      for (const each of [given].flat()) body.append(name, each)
    }
    if (token !== null) body.append('_csrf', token)
    const whole = [body.toString(), written].filter(Boolean).join('&')
    const type = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
    return this.#send(path, { method: 'POST', body: whole, headers: { ...type, ...headers } })
  }

  /** Opens a page and sends its form. */
  async fill(path: string, fields: Fields, to = path): Promise<Shown> {
    await this.get(path)
    return this.post(to, fields)
  }

  /** Signs in, and answers where that led. */
  signIn = (email: string, password = PASSWORD, next?: string): Promise<Shown> =>
    this.fill('/sign-in', { email, password, ...(next === undefined ? {} : { next }) })

  /** The id of the session, as the cookie has it. */
  get session(): string | undefined {
    return this.cookies.get('tarmac') ?? this.cookies.get('__Host-tarmac')
  }

  async #send(path: string, init: RequestInit & { headers: Record<string, string> }) {
    const cookie = [...this.cookies].map((each) => each.join('=')).join('; ')
    const answer = await fetch(path.startsWith('http') ? path : base() + path, {
      ...init,
      redirect: 'manual',
      headers: { ...this.headers, ...(cookie ? { cookie } : {}), ...init.headers },
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (/Max-Age=-|Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(set)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await answer.text()
    this.token = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? this.token
    const { status, headers } = answer
    return { status, headers, text, location: headers.get('location') }
  }
}

/** Resets the limits of attempts, as all tests come from one address. */
export async function forgetGuesses() {
  for (const [requests, duration] of [
    [20, '1 minute'],
    [60, '15 minutes'],
    [200, '1 day'],
  ] as const) {
    await limiter.use({ requests, duration }).clear()
  }
}

/** A person of an organization who is signed in with an account. */
export interface Person {
  email: string
  userId: string
  browser: Browser
}

/** Adds a person to an organization. */
export async function addUser(world: World, email = `${randomText(8).toLowerCase()}@acme.example`) {
  const { id } = await world.write((scope) =>
    new CreateUser(scope).handle({ email, status: 'invited' })
  )
  return { email, userId: id }
}

type LinkOf = { userId: string | null; admin?: boolean; resets?: boolean }

/** Makes a link, and answers the path of its page. */
export const linkTo = async (world: World, of: LinkOf): Promise<string> =>
  (await world.write((scope) => new CreateSignInLink(scope).handle(of))).path

/** Adds a person who signs in by a link and chooses a password. */
export async function joined(world: World, admin = false): Promise<Person> {
  const { email, userId } = await addUser(world)
  const browser = new Browser()
  const path = await linkTo(world, { userId, admin })
  await browser.fill(path, { name: 'Ada Lovelace', password: PASSWORD })
  return { email, userId, browser }
}
