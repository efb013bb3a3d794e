import type { Router } from '@adonisjs/core/http'
import { addresses } from '../addresses.js'
import { pageRoute } from './page_route.js'

const signIn = () => import('./pages/sign_in.js')
const oidc = () => import('./pages/oidc.js')
const link = () => import('./pages/link.js')
const device = () => import('./pages/device.js')
const me = () => import('./pages/me.js')

/** Adds the routes of the pages for signing in. */
export function mountSignIn(router: Router): void {
  pageRoute(router, 'GET', '/', async () => (await signIn()).home)
  pageRoute(router, 'GET', '/sign-in', async () => (await signIn()).signInPage)
  pageRoute(router, 'POST', '/sign-in', async () => (await signIn()).signIn)
  pageRoute(router, 'POST', '/sign-out', async () => (await signIn()).signOut)
  pageRoute(router, 'GET', '/sign-in/oidc', async () => (await oidc()).beginOidc)
  pageRoute(router, 'GET', '/sign-in/oidc/callback', async () => (await oidc()).finishOidc)
  pageRoute(router, 'GET', '/sign-in/link/:token', async () => (await link()).linkPage)
  pageRoute(router, 'POST', '/sign-in/link/:token', async () => (await link()).useLink)
  pageRoute(router, 'GET', '/dashboard', async () => (await signIn()).dashboard)
  pageRoute(router, 'GET', addresses.device, async () => (await device()).devicePage)
  pageRoute(router, 'POST', addresses.device, async () => (await device()).decide)
  pageRoute(router, 'GET', '/dashboard/me', async () => (await me()).mePage)
  pageRoute(router, 'POST', '/dashboard/me/name', async () => (await me()).rename)
  pageRoute(router, 'POST', '/dashboard/me/preferences', async () => (await me()).setPreferences)
  pageRoute(router, 'POST', '/dashboard/me/password', async () => (await me()).setPassword)
  pageRoute(router, 'POST', '/dashboard/me/end', async () => (await me()).endOwn)
  pageRoute(router, 'POST', '/dashboard/me/end-key', async () => (await me()).endKey)
}
