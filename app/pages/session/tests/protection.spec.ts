import config from '@adonisjs/core/services/config'
import { test } from '@japa/runner'
import { makeWorld } from '#tests/support/world'
import { Browser, forgetGuesses, joined, PASSWORD } from './browser.js'

/** Changes the public address of the service. @returns a function that restores it */
function servedAt(address: string): () => void {
  const before = config.get<string>('app.publicUrl')
  config.set('app.publicUrl', address)
  return () => config.set('app.publicUrl', before)
}

test.group('A form', (group) => {
  group.each.setup(forgetGuesses)

  test('403 without a token, with a broken one and with that of another session', async ({
    assert,
  }) => {
    const { email } = await joined(await makeWorld())
    const other = new Browser()
    await other.get('/sign-in')
    for (const token of [null, '', 'x', other.token!]) {
      const browser = new Browser()
      await browser.get('/sign-in')
      const fields = { email, password: PASSWORD, next: '/dashboard/app/a' }
      const shown = await browser.post('/sign-in', fields, { token })
      assert.equal(shown.status, 403)
      // The form is shown again with what was typed, but for the password, and can be sent.
      assert.include(shown.text, `value="${email}"`)
      assert.include(shown.text, 'value="/dashboard/app/a"')
      assert.notInclude(shown.text, PASSWORD)
      const again = await browser.post('/sign-in', fields)
      assert.deepEqual([again.status, again.location], [303, '/dashboard/app/a'])
    }
  })

  test('403 from another site, whatever its token', async ({ assert }) => {
    const { email } = await joined(await makeWorld())
    const fields = { email, password: PASSWORD }
    for (const [site, status] of [
      ['cross-site', 403],
      ['same-site', 403],
      ['something', 403],
      ['same-origin', 303],
      ['none', 303],
    ] as const) {
      const browser = new Browser()
      await browser.get('/sign-in')
      const shown = await browser.post('/sign-in', fields, { headers: { 'sec-fetch-site': site } })
      assert.equal(shown.status, status, site)
      if (status === 403) assert.include(shown.text, 'This form came from another site.')
    }
    // Links of other sites lead here all the same.
    const linked = await new Browser().get('/', { 'sec-fetch-site': 'cross-site' })
    assert.equal(linked.status, 200)
  })

  test('with a stale token and no page to show again says that nothing was done', async ({
    assert,
  }) => {
    const { browser } = await joined(await makeWorld())
    await browser.get('/dashboard/me')
    const shown = await browser.post('/sign-out', {}, { token: 'x' })
    assert.equal(shown.status, 403)
    assert.include(shown.text, 'nothing was done')
    assert.equal((await browser.get('/dashboard/me')).status, 200)
  })

  test('with a NUL character is refused, and with nested parameters in its address is not', async ({
    assert,
  }) => {
    const { browser } = await joined(await makeWorld())
    await browser.get('/dashboard/me')
    const refused = await browser.post('/dashboard/me/name', { name: 'A\0da' })
    assert.equal(refused.status, 400)
    assert.include(refused.text, 'NUL character')
    const saved = await browser.post('/dashboard/me/name?a[b]=c&a[d][e]=f', { name: 'Ada' })
    assert.equal(saved.status, 303)
  })

  test('shows what was typed as text', async ({ assert }) => {
    const email = `"><script>alert(1)</script>@acme.example`
    const shown = await new Browser().signIn(email, PASSWORD)
    assert.equal(shown.status, 422)
    assert.include(shown.text, '&lt;script&gt;')
    assert.notInclude(shown.text, '<script>')
  })
})

/** Values of `next=`, and where each leads: null is the usual place. */
const NEXT: readonly (readonly [given: string, leads: string | null])[] = [
  ['/dashboard', '/dashboard'],
  ['/dashboard/', '/dashboard/'],
  ['/dashboard/app/acme-ios/release/rel_1', '/dashboard/app/acme-ios/release/rel_1'],
  ['/dashboard/app/a?show=blocked#next', '/dashboard/app/a?show=blocked#next'],
  ['/dashboard/../dashboard/me', '/dashboard/me'],
  ['dashboard/me', '/dashboard/me'],
  ['ORIGIN/dashboard/me', '/dashboard/me'],
  ['', null],
  ['/', null],
  ['/sign-out', null],
  ['/docs', null],
  ['/dashboardx', null],
  ['/dashboard.evil.example', null],
  ['/dashboard/../docs', null],
  ['/dashboard/%2e%2e/docs', null],
  ['/dashboard\\..\\..\\docs', null],
  ['//evil.example/dashboard', null],
  ['\\\\evil.example/dashboard', null],
  ['/\\evil.example/dashboard', null],
  ['/\t/evil.example/dashboard', null],
  ['/\n/evil.example/dashboard', null],
  [' //evil.example/dashboard', null],
  ['///evil.example/dashboard', null],
  ['https://evil.example/dashboard', null],
  ['https:evil.example/dashboard', null],
  ['http:///evil.example/dashboard', null],
  ['HOST.evil.example/dashboard', null],
  ['http://HOST@evil.example/dashboard', null],
  ['http://me:secret@HOST/dashboard', null],
  ['javascript:alert(1)//dashboard', null],
  ['data:text/html,/dashboard', null],
  ['http://[/dashboard', null],
  [`/dashboard/${'a'.repeat(3000)}`, null],
]

const service = () => `http://${process.env.HOST}:${process.env.PORT}`

test.group('The page after signing in', (group) => {
  group.each.setup(forgetGuesses)

  test('is a page of this service, however its address is written', async ({ assert }) => {
    const host = `${process.env.HOST}:${process.env.PORT}`
    const { email } = await joined(await makeWorld())
    assert.isAtLeast(NEXT.length, 30)
    for (const [text, leads] of NEXT) {
      await forgetGuesses()
      const next = text.replace('ORIGIN', `http://${host}`).replace('HOST', host)
      const browser = new Browser()
      const page = await browser.get(`/sign-in?${new URLSearchParams({ next })}`)
      const kept = /name="next" value="([^"]*)"/.exec(page.text)?.[1]
      assert.equal(kept, leads ?? undefined, text)
      const { status, location } = await browser.post('/sign-in', {
        ...{ email, password: PASSWORD, next },
      })
      assert.deepEqual([status, location], [303, leads ?? '/'], text)
    }
  })

  test('says that it is for stopping a rollout, also after a wrong password', async ({
    assert,
  }) => {
    const { email } = await joined(await makeWorld())
    const browser = new Browser()
    const path = '/dashboard/app/acme-ios/release/rel_1'
    const asked = await browser.post(
      `${path}/redButton`,
      {},
      { headers: { referer: service() + path } }
    )
    // The page gets the focus on its red button; the person still has to press it.
    const next = `${path}?to=stop`
    assert.deepEqual(
      [asked.status, asked.location],
      [303, `/sign-in?${new URLSearchParams({ next, to: 'stop' })}`]
    )
    const page = await browser.get(asked.location!)
    assert.include(page.text, 'Sign in to stop the rollout')
    const wrong = { email, password: 'wrong', next, to: 'stop' }
    assert.include((await browser.post('/sign-in', wrong)).text, 'Sign in to stop the rollout')
    const right = await browser.post('/sign-in', { ...wrong, password: PASSWORD })
    assert.equal(right.location, next)
    assert.notInclude((await new Browser().get('/sign-in?to=<script>')).text, 'stop the rollout')
  })

  test('is the page that was asked for', async ({ assert }) => {
    const { email } = await joined(await makeWorld())
    const browser = new Browser()
    const { status, location } = await browser.get('/dashboard/me?from=chat')
    assert.deepEqual([status, location], [303, '/sign-in?next=%2Fdashboard%2Fme%3Ffrom%3Dchat'])
    const page = await browser.get(location!)
    assert.include(page.text, 'value="/dashboard/me?from=chat"')
    const shown = await browser.post('/sign-in', {
      ...{ email, password: PASSWORD, next: '/dashboard/me?from=chat' },
    })
    assert.equal(shown.location, '/dashboard/me?from=chat')
    assert.equal((await browser.get(location!)).location, '/dashboard/me?from=chat')
  })
})

test.group('Plain HTTP', (group) => {
  group.each.setup(forgetGuesses)

  test('beyond this machine explains why TLS is needed, and asks for no password', async ({
    assert,
    cleanup,
  }) => {
    const { email, browser: known } = await joined(await makeWorld())
    cleanup(servedAt('http://tarmac.example'))
    for (const path of ['/', '/sign-in', '/dashboard/me', '/sign-in/link/x']) {
      const browser = new Browser()
      const shown = await browser.get(path)
      assert.equal(shown.status, 200)
      assert.include(shown.text, 'anybody on the way can read passwords')
      assert.notInclude(shown.text, '<form')
      assert.deepEqual(shown.headers.getSetCookie(), [])
    }
    const sent = await known.post('/sign-in', { email, password: PASSWORD })
    assert.equal(sent.status, 403)
    assert.deepEqual(sent.headers.getSetCookie(), [])
  })

  test('is refused behind a public address with TLS, too', async ({ assert, cleanup }) => {
    const { email } = await joined(await makeWorld())
    cleanup(servedAt('https://tarmac.example'))
    for (const [origin, status] of [
      ['http://10.0.0.7:3333', 403],
      ['https://tarmac.example', 303],
      ['null', 303],
    ] as const) {
      const browser = new Browser()
      await browser.get('/sign-in')
      const sent = await browser.post(
        '/sign-in',
        { email, password: PASSWORD },
        { headers: { origin } }
      )
      assert.equal(sent.status, status, origin)
    }
    for (const [proto, isTaken] of [
      ['http', false],
      ['https', true],
    ] as const) {
      const shown = await new Browser().get('/', { 'x-forwarded-proto': proto })
      assert.equal(shown.text.includes('<form'), isTaken, proto)
    }
  })

  test('is served on this machine, by any of its names', async ({ assert, cleanup }) => {
    for (const address of ['http://localhost:3333', 'http://127.8.0.1', 'http://[::1]:3333']) {
      const restore = servedAt(address)
      cleanup(restore)
      assert.include((await new Browser().get('/')).text, '<form')
      restore()
    }
  })
})
