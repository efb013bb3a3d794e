import { test } from '@japa/runner'
import { Browser, PASSWORD, type Shown } from '../../session/tests/browser.js'
import { attributes, textOf } from '../../tests/support.js'
import { isSecret, office, SECRET } from './support.js'

test.group('Connecting in a browser', () => {
  async function begun(found: Awaited<ReturnType<typeof office>>, alias = 'Talk') {
    const { browser, path } = found
    const form = await browser.get(`${path}/connect/memory`)
    assertCallback(form.text)
    const go = await browser.post(`${path}/connect/memory/authorize`, { alias })
    if (go.status !== 200) throw new Error(textOf(go.text))
    const [url] = attributes(go.text, 'href').filter((href) => href.includes('memory.example'))
    return { go, state: new URL(url).searchParams.get('state')! }
  }
  const assertCallback = (text: string) => {
    if (!/value="http:[^"]+\/integrations\/oauth\/callback"/.test(text)) throw new Error(text)
  }
  /** Follows the redirects from the provider back to a page, as a browser does. */
  async function back(browser: Browser, query: Record<string, string>): Promise<Shown> {
    let shown = await browser.get(`/integrations/oauth/callback?${new URLSearchParams(query)}`)
    while (shown.status === 303 && shown.location!.includes('/integration/')) {
      shown = await browser.get(shown.location!)
    }
    return shown
  }

  test('is finished by the browser that began it, once', async ({ assert }) => {
    const found = await office()
    const { go, state } = await begun(found)
    assert.isTrue(isSecret(go))
    const policy = go.headers.get('content-security-policy')!
    assert.include(policy, "form-action 'self' https://memory.example;")
    const query = new URLSearchParams({ state, code: SECRET })
    const authorized = `${found.path}/authorized?${query}`
    // A HEAD request does not use up the state.
    const cookie = [...found.browser.cookies].map((each) => each.join('=')).join('; ')
    const url = `http://${process.env.HOST}:${process.env.PORT}${authorized}`
    assert.equal((await fetch(url, { method: 'HEAD', headers: { cookie } })).status, 204)
    assert.lengthOf(await found.connections(), 0)
    const led = await found.browser.get(authorized)
    const [{ id }] = await found.connections()
    assert.deepEqual([led.status, led.location], [303, `${found.path}/${encodeURIComponent(id)}`])
    const done = await found.browser.get(led.location!)
    assert.include(textOf(done.text), 'Connected Talk.')
    assert.include(textOf(done.text), 'account in nowhere')
    assert.notInclude(done.text, '4711')
    assert.equal((await back(found.browser, { state, code: SECRET })).status, 404)
    const replayed = await found.browser.get(authorized)
    assert.equal(replayed.status, 404)
    assert.isTrue(isSecret(replayed))
    assert.include(textOf(replayed.text), 'Not connected')
    assert.notInclude(textOf(replayed.text), 'Nothing was stored')
    // Invalid parameters are not an error of the service.
    for (const odd of ['state=a&state=b', 'state[]=x', 'state[a]=x']) {
      assert.equal((await found.browser.get(`${found.path}/authorized?${odd}`)).status, 404)
    }
    assert.lengthOf(await found.connections(), 1)
  })

  test('refuses a stolen state in another browser, even of the same person', async ({ assert }) => {
    const found = await office()
    const { state } = await begun(found)
    const same = new Browser()
    await same.signIn(found.email, PASSWORD)
    const stranger = await office()
    const nobody = new Browser()
    for (const [thief, status] of [
      [same, 404],
      [stranger.browser, 404],
      [nobody, 303],
    ] as const) {
      const shown = await back(thief, { state, code: SECRET })
      assert.equal(shown.status, status)
      assert.notInclude(textOf(shown.text), 'Connected Talk')
    }
    // Naming the thief's own organization does not help, either.
    const query = new URLSearchParams({ state, code: SECRET })
    const led = await stranger.browser.get(`${stranger.path}/authorized?${query}`)
    assert.include(textOf(led.text), 'Not connected')
    assert.lengthOf(await found.connections(), 0)
    assert.lengthOf(await stranger.connections(), 0)
    // The attempts have not used up the state.
    assert.include(
      textOf((await back(found.browser, { state, code: SECRET })).text),
      'Connected Talk'
    )
  })

  test('continues with a form if another step follows, and reports a refusal of the provider', async ({
    assert,
  }) => {
    const found = await office()
    const first = await begun(found)
    const more = await back(found.browser, { state: first.state, code: 'more' })
    assert.include(textOf(more.text), 'One more step')
    assert.include(
      more.headers.get('content-security-policy')!,
      "form-action 'self' https://memory.example;"
    )
    const [next] = attributes(more.text, 'action').filter((each) => each.includes('/install'))
    const state = new URL(next).searchParams.get('state')!
    const done = await back(found.browser, { state, code: SECRET })
    assert.include(textOf(done.text), 'Connected Talk')
    const other = await begun(found, 'Other')
    const denied = await back(found.browser, { state: other.state, error: 'access_denied' })
    assert.include(textOf(denied.text), 'The provider refused access (access_denied).')
    assert.lengthOf(await found.connections(), 1)
  })

  test('with an unknown state, shows a page that says what to do', async ({ assert }) => {
    const browser = new Browser()
    const navigates = { 'sec-fetch-dest': 'document' }
    for (const [query, says] of [
      ['', 'Nothing is waiting for this response'],
      ['?code=x', 'Nothing is waiting for this response'],
      ['?state=of-nobody&code=x', 'Nothing is waiting for this response'],
    ]) {
      const led = await browser.get(`/integrations/oauth/callback${query}`, navigates)
      assert.equal(led.status, 303, query)
      const shown = await browser.get(led.location!)
      assert.equal(shown.status, 404)
      assert.include(textOf(shown.text), says)
    }
    const begin = await browser.get('/integrations/oauth/begin?state=of-nobody', navigates)
    assert.equal(begin.location, '/dashboard/notConnected?why=authorization_unknown')
    // A sign-in begun at the console that failed is explained by its code; other texts are ignored.
    const refused = await browser.get('/dashboard/notConnected?why=authorization_refused')
    assert.equal(refused.status, 409)
    assert.include(
      textOf(refused.text),
      'The provider refused the authorization. Nothing was connected.'
    )
    const odd = await browser.get('/dashboard/notConnected?why=<b>')
    assert.include(textOf(odd.text), 'Nothing is waiting for this response')
    assert.notInclude(odd.text, '<b>')
    const program = await browser.get('/integrations/oauth/callback')
    assert.equal(JSON.parse(program.text).code, 'authorization_unknown')
  })
})
