import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  findingsOf,
  overhang,
  SCHEMES,
  schemesOfLook,
} from '#distribution/install_pages/tests/browser'
import type { Pilot } from './pilot.js'

const SCREENS = [
  ['desk', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
  ['small', { width: 320, height: 568 }],
] as const
const folder = process.env.SCREENSHOTS
if (folder) await mkdir(folder, { recursive: true })

/**
 * Checks the shown page on every screen: axe checks the desktop in light and the phone in dark. If
 * SCREENSHOTS is a folder, screenshots of both screens in both schemes are stored there.
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
      const isAsked = (screen === 'desk') === (colorScheme === 'light')
      if (!folder && !(isAsked && asked.includes(colorScheme))) continue
      await page.emulateMedia({ colorScheme })
      const what = `${name}-${screen}-${colorScheme}`
      if (isAsked) found.push(...(await findingsOf(page)).map((each) => `${what}: ${each}`))
      if (folder) await page.screenshot({ path: join(folder, `${what}.png`), fullPage: true })
    }
  }
  await page.setViewportSize(SCREENS[0][1])
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}
