import { resolve } from 'node:path'
import { test } from '@japa/runner'
import { startService } from '#tests/support/processes'
import { Browser, PASSWORD } from './browser.js'
import { comeBack, startProvider } from './oidc_provider.js'

test.group('A new service', () => {
  test('prints a link for its first admin, and lets new users in with OpenID Connect', async ({
    assert,
    cleanup,
  }) => {
    let base = ''
    const provider = await startProvider(() => base)
    cleanup(() => provider.close())
    const { issuer, clientId, clientSecret } = provider.settings
    const service = await startService({
      TARMAC_HOME: resolve(process.env.TARMAC_HOME!, 'first-link'),
      ...{ DATABASE_URL: undefined, APP_KEY: undefined },
      ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
      ...{ OIDC_NAME: 'Acme ID', OIDC_NEW_USERS: 'true' },
    })
    cleanup(() => service.stop().then(() => {}))
    base = service.base
    const link = await service.waitForOutput(/http:\/\/\S+\/sign-in\/link\/\w{40}/)
    assert.isTrue(link.startsWith(`${base}/sign-in/link/`))
    const browser = new Browser()
    await browser.get(link)
    const fields = { email: 'ada@acme.example', name: 'Ada Lovelace', password: PASSWORD }
    const used = await browser.post(link, fields)
    assert.equal(used.status, 303)
    assert.match(used.location!, /^\/dashboard\/org\/org_\w+$/)
    assert.include((await browser.get(`${base}/dashboard/me`)).text, 'ada@acme.example')

    provider.whoever = { sub: 'grace', email: 'grace@acme.example', email_verified: true }
    const grace = new Browser()
    const shown = await grace.get(await comeBack(grace, { begin: `${base}/sign-in/oidc` }))
    assert.equal(shown.status, 303)
    assert.equal((await grace.get(`${base}/`)).location, used.location)
  }).timeout(60_000)
})
