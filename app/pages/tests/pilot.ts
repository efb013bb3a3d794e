import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { PASSWORD, type Browser as SignedIn } from '../session/tests/browser.js'

const base = () => `http://${process.env.HOST}:${process.env.PORT}`

/** A person with a real browser, who reads pages and presses their buttons and links. */
export class Pilot {
  /** Errors of pages, and requests to other hosts. */
  readonly errors: string[] = []

  private constructor(readonly page: Page) {}

  static async begin(browser: Browser, options: BrowserContextOptions = {}): Promise<Pilot> {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      ...options,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const pilot = new Pilot(page)
    page.on('pageerror', (error) => pilot.errors.push(String(error)))
    page.on('console', (message) => {
      // Chromium logs error statuses, which are no fault: their pages are meant to be read.
      if (
        message.type() === 'error' &&
        !/the server responded with a status/.test(message.text())
      ) {
        pilot.errors.push(message.text())
      }
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(`${base()}/`)) pilot.errors.push(`asks ${request.url()}`)
    })
    return pilot
  }

  end = () => this.page.context().close()

  /** Takes over the session of a person who signed in with the scriptless test browser. */
  async be({ cookies }: SignedIn): Promise<void> {
    const given = [...cookies].map(([name, value]) => ({ name, value, url: base() }))
    await this.page.context().addCookies(given)
  }

  async open(path: string): Promise<void> {
    await this.page.goto(base() + path)
  }

  /** Creates the account of the first admin by the printed link. */
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

  /** Presses a button or a link, confirms if asked to, and waits for the message. */
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

  /** Returns the sentence at the top of a release's page. */
  sentence = () => this.page.locator('.say p').first().innerText()

  /** Presses a key, usually Tab, until the element with a name has the focus. */
  async walkTo(name: string | RegExp, key = 'Tab'): Promise<void> {
    for (let step = 0; step < 80; step++) {
      await this.page.keyboard.press(key)
      const focused = await this.focused()
      if (typeof name === 'string' ? focused === name : name.test(focused)) return
    }
    throw new Error(`The keyboard comes to no ${name}`)
  }

  /** Returns the id of the element that has the focus, or else its text. */
  focused = () =>
    this.page.evaluate(
      "document.activeElement.id || document.activeElement.textContent.trim().replace(/\\s+/g, ' ')"
    ) as Promise<string>
}
