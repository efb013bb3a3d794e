/** What a page can know of who looks at it, by the `User-Agent` alone. */
export interface Device {
  system: 'ios' | 'android' | 'other'
  /**
   * The browser inside another app, which can neither install nor keep a download; null for a
   * browser of its own. `app` is the name of the app where it tells.
   */
  inApp: { app: string | null } | null
  /** A Mac, or an iPad that passes itself off as one. */
  isMacLike: boolean
}

/** What apps write into the `User-Agent` of the browser in them. */
const APPS: readonly (readonly [mark: string, app: string])[] = [
  ['FBAN/', 'Facebook'],
  ['FBAV/', 'Facebook'],
  ['Instagram', 'Instagram'],
  ['LinkedInApp', 'LinkedIn'],
  ['Line/', 'LINE'],
  ['MicroMessenger', 'WeChat'],
  ['Slack', 'Slack'],
  ['TeamsMobile', 'Teams'],
  ['Snapchat', 'Snapchat'],
  ['Pinterest', 'Pinterest'],
  ['musical_ly', 'TikTok'],
  ['BytedanceWebview', 'TikTok'],
  ['Twitter', 'X'],
  ['KAKAOTALK', 'KakaoTalk'],
  ['GSA/', 'the Google app'],
]

/** Browsers of iOS write one of these; a web view in an app writes none. */
const BROWSERS_OF_IOS = ['Safari/', 'CriOS/', 'FxiOS/', 'EdgiOS/', 'OPT/', 'DuckDuckGo/']

/** Reads a `User-Agent`. It is the client's word: it decides what is shown, never what is given. */
export function deviceOf(userAgent: string | undefined): Device {
  const agent = (userAgent ?? '').slice(0, 1000)
  const has = (mark: string) => agent.includes(mark)
  const isIos = has('iPhone') || has('iPad') || has('iPod')
  const isAndroid = !isIos && has('Android')
  const system = isIos ? 'ios' : isAndroid ? 'android' : 'other'
  const app = APPS.find(([mark]) => has(mark))?.[1] ?? null
  const isWebView =
    (isIos && has('AppleWebKit') && !BROWSERS_OF_IOS.some(has)) || (isAndroid && has('; wv)'))
  const isInApp = system !== 'other' && (app !== null || isWebView)
  return { system, inApp: isInApp ? { app } : null, isMacLike: has('Macintosh') }
}
