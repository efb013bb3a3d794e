/** The facts that a page derives about its visitor from the `User-Agent`. */
export interface Device {
  system: 'ios' | 'android' | 'other'
  /**
   * The embedded browser of another app, which can neither install nor keep a download; null for an
   * ordinary browser. `app` is the name of the app if it states one.
   */
  inApp: { app: string | null } | null
  /** A Mac, or an iPad that passes itself off as one. */
  isMacLike: boolean
}

/** Parts of the `User-Agent` by which embedded browsers of apps are known. */
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

/** Reads a `User-Agent`. Clients can forge it, so it decides what is shown, never what is allowed. */
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

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Windows NT/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
]

/**
 * Returns the name of a device for people: `iPhone15,2, iOS 18.2`, `Pixel 9, Android 15`. The
 * component by which iOS installs an app reports the model; browsers do not. Null if nothing
 * is reported.
 */
export function deviceName(userAgent: string | undefined): string | null {
  const agent = (userAgent ?? '').slice(0, 1000).replace(/[^\x20-\x7e]/g, '')
  const installer = /\b(?:iOS|iPadOS)\/(\d[\d.]{0,10}) model\/([\w,]{1,30})/.exec(agent)
  if (installer) return `${installer[2]}, iOS ${installer[1]}`
  const apple = /\((iPhone|iPad|iPod)[^)]{0,40} OS (\d{1,3}(?:_\d{1,3}){0,2})/.exec(agent)
  if (apple) return `${apple[1]}, iOS ${apple[2].replaceAll('_', '.')}`
  const android = /Android (\d[\d.]{0,10})(?:; ([^;)]{1,60}))?/.exec(agent)
  if (android) {
    const model = (android[2] ?? '').replace(/ Build\/.*/, '').trim()
    // Browsers that hide the model report this letter, with a version that need not be the device's.
    if (model === 'K' || model === '') return 'Android'
    return `${model}, Android ${android[1]}`
  }
  return SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1] ?? null
}
