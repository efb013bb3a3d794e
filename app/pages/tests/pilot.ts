import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { PASSWORD, type Browser as SignedIn } from '../session/tests/browser.js'

const base = () => `http://${process.env.HOST}:${process.env.PORT}`

/** Somebody with a browser, who reads pages and presses what stands on them. */
export class Pilot {
  /** Deeds of pages that they may not do. */
  readonly faults: string[] = []
  /** Paths of the requests since it was emptied, with the bytes that came over the wire. */
  readonly received = new Map<string, number>()

  private constructor(readonly page: Page) {}

  static async begin(browser: Browser, options: BrowserContextOptions = {}): Promise<Pilot> {
    const context = await browser.newContext({
      ...{ viewport: { width: 1440, height: 900 }, locale: 'en-GB', timezoneId: 'Europe/Berlin' },
      ...options,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const pilot = new Pilot(page)
    page.on('pageerror', (error) => pilot.faults.push(String(error)))
    page.on('console', (message) => {
      // Chromium logs the status of a page that is meant to be read all the same.
      if (
        message.type() === 'error' &&
        !/the server responded with a status/.test(message.text())
      ) {
        pilot.faults.push(message.text())
      }
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(`${base()}/`)) pilot.faults.push(`asks ${request.url()}`)
    })
    return pilot
  }

  end = () => this.page.context().close()

  /** Goes on as somebody who has signed in without script. */
  async be({ cookies }: SignedIn): Promise<void> {
    const given = [...cookies].map(([name, value]) => ({ name, value, url: base() }))
    await this.page.context().addCookies(given)
  }

  async open(path: string): Promise<void> {
    await this.page.goto(base() + path)
  }

  /** Makes the account of the first admin, by the link that is printed. */
  async join(link: string): Promise<void> {
    const { page } = this
    await this.open(link)
    await page.getByLabel('E-mail').fill('ada@acme.example')
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('New password').fill(PASSWORD)
    await page.locator('form.signin button').click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForURL(/\/dashboard\//)
  }

  /** Opens a step of the release that is shown. */
  async step(name: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Steps' }).getByText(name).click()
    await this.page.locator('h2#step', { hasText: name }).waitFor()
  }

  /** Presses a button or a link, confirms where it is asked once more, and waits for what is said. */
  async press(word: string | RegExp, said: string | RegExp): Promise<void> {
    const { page } = this
    const acts = page.locator('.c2 .formend').first()
    const asking = acts.locator('a', { hasText: word })
    if ((await asking.count()) > 0) {
      await asking.first().click()
      await page.locator('.ask button.go').click()
    } else {
      await acts.locator('button', { hasText: word }).first().click()
    }
    await page.locator('#said', { hasText: said }).waitFor()
  }

  /** Presses a button of an item of the step that is shown. */
  async tick(title: string, word: string, said: string): Promise<void> {
    const item = this.page.locator('.check > li', { hasText: title })
    await item.locator('button', { hasText: word }).first().click()
    await this.page.locator('#said', { hasText: said }).waitFor()
  }

  /** The sentence on top of the release. */
  sentence = () => this.page.locator('.say p').first().innerText()

  /** Presses a key, usually the tabulator, until the keyboard is at what is named. */
  async walkTo(name: string, key = 'Tab'): Promise<void> {
    for (let step = 0; step < 80; step++) {
      await this.page.keyboard.press(key)
      if ((await this.focused()) === name) return
    }
    throw new Error(`The keyboard comes to no ${name}`)
  }

  /** Returns where the keyboard is: the id of the element, or its text. */
  focused = () =>
    this.page.evaluate(
      "document.activeElement.id || document.activeElement.textContent.trim().replace(/\\s+/g, ' ')"
    ) as Promise<string>
}
