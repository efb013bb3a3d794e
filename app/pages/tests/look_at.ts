import {
  findingsOf,
  keepScreenshot,
  keepsScreenshots,
  overhang,
  SCHEMES,
  schemesOfLook,
} from '#distribution/install_pages/tests/browser'
import { isLong } from '#tests/support/effort'
import type { Pilot } from './pilot.js'

const SCREENS = [
  ['desk', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
  ['small', { width: 320, height: 568 }],
] as const

/**
 * Checks the shown page on every screen. In the long run axe checks desktop and phone, each in light
 * and dark; else the desktop in light or the phone in dark, in turn.
 */
export async function lookAt({ page }: Pick<Pilot, 'page'>, name: string): Promise<string[]> {
  const found: string[] = []
  const asked = schemesOfLook()
  for (const [screen, size] of SCREENS) {
    await page.setViewportSize(size)
    const wider = await overhang(page)
    if (wider > 0) found.push(`${name}-${screen}: ${wider} px wider than the screen`)
    if (screen === 'small') continue
    for (const colorScheme of SCHEMES) {
      const isUsual = (screen === 'desk') === (colorScheme === 'light')
      const isAsked = isLong || (isUsual && asked.includes(colorScheme))
      if (!isAsked && !keepsScreenshots) continue
      await page.emulateMedia({ colorScheme })
      const what = `${name}-${screen}-${colorScheme}`
      if (isAsked) found.push(...(await findingsOf(page)).map((each) => `${what}: ${each}`))
      await keepScreenshot(page, what)
    }
  }
  await page.setViewportSize(SCREENS[0][1])
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}
