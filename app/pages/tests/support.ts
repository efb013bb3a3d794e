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

/** Longer than the tag of an unchanged page is valid. */
const TAG_MINUTES = (2 * MINUTE) / MINUTE

/** A signed-in person, who waits and retries once when the limit of requests is reached. */
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
    this.#retrying(() => this.browser.get(path, headers))

  /** Sends a form with the token of the last page. */
  post: Browser['post'] = (path, fields, sent) =>
    this.#retrying(() => this.browser.post(path, fields, sent))

  /** Opens a page and sends a form of it. */
  async send(page: string, path: string, fields: Fields = {}): Promise<Shown> {
    await this.get(page)
    return this.post(path, fields)
  }

  async #retrying(ask: () => Promise<Shown>): Promise<Shown> {
    const shown = await ask()
    if (shown.status !== 429) return shown
    passMinutes(1 / 30)
    return ask()
  }
}

/** Signs a person in to an organization, by default an admin. */
export async function signedIn(world: World, { admin = true } = {}): Promise<Person> {
  await forgetGuesses()
  return new Person(await joined(world, admin))
}

/** Makes an organization with a signed-in admin. */
export async function pageWorld(name?: string) {
  const world = await makeWorld(name)
  return { world, person: await signedIn(world) }
}

/** Values of path parameters that name no entity of the API. */
export const WORDS: Readonly<Record<string, string>> = { act: 'kickoff', pluginId: 'memory' }

/** Returns the path of a page, with the entities of an organization as its parameters. */
export const pathFor = async (
  fixtures: Fixtures,
  address: string,
  replaced: Record<string, string> = {}
): Promise<string> => addressOf(address, await fixtures.params(address, { ...WORDS, ...replaced }))

/** Lets the tags of pages expire, so that each page is rendered again. */
export const outliveTags = () => passMinutes(TAG_MINUTES)

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

/** Returns a text without the character references of markup. */
export const plain = (text: string): string =>
  text.replace(/&(#?\w+);/g, (all, name: string) => ENTITIES[name] ?? all)

/** Returns the visible text of a page in one line. */
export const textOf = (html: string): string =>
  plain(html.replace(/<(script|style|head)\b[\s\S]*?<\/\1>/g, ' ').replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

/** Returns the values of an attribute in a page. */
export const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => plain(value))

/** Returns the value of a hidden field of the first form of a page that has it. */
export function hiddenIn(html: string, name: string): string {
  const [field] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html) ?? []
  if (!field) throw new Error(`No form has ${name}`)
  return attributes(field, 'value')[0]
}
