import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Seeded } from './seed.js'

/** An HTTP answer with its raw body. */
interface RawAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Compressed if `content-encoding` says so. */
  bytes: Buffer
}

const PASSWORD = 'correct horse battery'

/** A browser session of one signed-in person, without a cache. */
export class Browser {
  readonly cookies = new Map<string, string>()

  private constructor(private readonly base: string) {}

  /** Signs a person in by a link, and has them choose a password. */
  static async signedIn({ stand, service }: Seeded, email: string): Promise<Browser> {
    const { url } = await stand.console<{ url: string }>('user:link', email, '--admin')
    const browser = new Browser(service.base)
    await browser.#fill(new URL(url).pathname, { name: 'Ada Lovelace', password: PASSWORD })
    return browser
  }

  /** Signs a person in again, with the password that they chose in `signedIn`. */
  async another(email: string): Promise<Browser> {
    const browser = new Browser(this.base)
    await browser.#fill('/sign-in', { email, password: PASSWORD })
    return browser
  }

  get = (path: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
    this.#send('GET', path, headers)

  async #fill(path: string, fields: Record<string, string>): Promise<void> {
    const token = /name="_csrf" value="([^"]+)"/.exec(textOf(await this.get(path)))?.[1] ?? ''
    const form = new URLSearchParams({ _csrf: token, ...fields })
    const { status } = await this.#send('POST', path, {}, form)
    if (status !== 303) throw new Error(`${path} answered ${status}`)
  }

  #send(
    method: string,
    path: string,
    moreHeaders: object,
    fields?: URLSearchParams
  ): Promise<RawAnswer> {
    const body = fields?.toString()
    const headers = {
      'accept-encoding': 'gzip, br',
      'cookie': [...this.cookies].map((each) => each.join('=')).join('; '),
      'sec-fetch-site': 'same-origin',
      ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...moreHeaders,
    }
    return new Promise((resolve, reject) => {
      const sent = request(this.base + path, { method, headers })
      sent.on('error', reject)
      sent.on('response', async (answer) => {
        for (const set of answer.headers['set-cookie'] ?? []) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
          this.cookies.set(name, value)
        }
        const bytes = Buffer.concat(await answer.toArray())
        resolve({ status: answer.statusCode!, headers: answer.headers, bytes })
      })
      sent.end(body)
    })
  }
}

/** The text of a page. */
export const textOf = ({ headers, bytes }: RawAnswer): string =>
  (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
