import { MINUTE } from '#foundation/core/durations'
import { passMinutes } from '#stores/tests/support'
import type { Fixtures } from '#tests/support/fixtures'
import { makeWorld, type World } from '#tests/support/world'
import { addressOf } from '../addresses.js'
import {
  type Browser,
  forgetGuesses,
  joined,
  type Fields,
  type Person as Joined,
  type Shown,
} from '../session/tests/browser.js'

/** Longest time that a page is believed while nothing changes, and some. */
const BELIEVED_MINUTES = (2 * MINUTE) / MINUTE

/** Somebody who is signed in, and waits where a session may ask for no more at once. */
export class Person {
  readonly browser: Browser
  readonly userId: string
  readonly email: string

  constructor({ browser, userId, email }: Joined) {
    this.browser = browser
    this.userId = userId
    this.email = email
  }

  get = (path: string, headers?: Record<string, string>): Promise<Shown> =>
    this.#patiently(() => this.browser.get(path, headers))

  /** Sends a form with the token of the page that was shown last. */
  post: Browser['post'] = (path, fields, sent) =>
    this.#patiently(() => this.browser.post(path, fields, sent))

  /** Looks at a page, and sends a form of it. */
  async send(page: string, path: string, fields: Fields = {}): Promise<Shown> {
    await this.get(page)
    return this.post(path, fields)
  }

  async #patiently(ask: () => Promise<Shown>): Promise<Shown> {
    const shown = await ask()
    if (shown.status !== 429) return shown
    passMinutes(1 / 30)
    return ask()
  }
}

/** Has somebody sign in to an organization: by default one who may do everything. */
export async function signedIn(world: World, { admin = true } = {}): Promise<Person> {
  await forgetGuesses()
  return new Person(await joined(world, admin))
}

/** An organization with an admin who is signed in. */
export async function pageWorld(name?: string) {
  const world = await makeWorld(name)
  return { world, person: await signedIn(world) }
}

/** Values of parameters that name no entity of the API. */
export const WORDS: Readonly<Record<string, string>> = { act: 'kickoff', pluginId: 'memory' }

/** Returns the path of a page, about what an organization has of each kind. */
export const pathFor = async (
  fixtures: Fixtures,
  address: string,
  replaced: Record<string, string> = {}
): Promise<string> => addressOf(address, await fixtures.params(address, { ...WORDS, ...replaced }))

/** Has the tags of pages be old, so that each is made again. */
export const outliveTags = () => passMinutes(BELIEVED_MINUTES)

const ENTITIES: Readonly<Record<string, string>> = {
  'amp': '&',
  'lt': '<',
  'gt': '>',
  'quot': '"',
  '#39': "'",
  '#x27': "'",
  '#x2F': '/',
  '#x60': '`',
}

/** The text of a page as it is read, in one line. */
export const textOf = (html: string): string =>
  html
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#?\w+);/g, (all, name: string) => ENTITIES[name] ?? all)
    .replace(/\s+/g, ' ')
    .trim()

/** Values of an attribute in a page. */
export const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    value.replace(/&(#?\w+);/g, (all, entity: string) => ENTITIES[entity] ?? all)
  )

/** The value of a hidden field of the first form of a page that has it. */
export function hiddenIn(html: string, name: string): string {
  const [field] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html) ?? []
  if (!field) throw new Error(`No form has ${name}`)
  return attributes(field, 'value')[0]
}
