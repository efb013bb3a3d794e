import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findingsOf, overhang } from '#distribution/install_pages/tests/browser'
import type { Pilot } from './pilot.js'

const SCREENS = [
  ['desk', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
  ['small', { width: 320, height: 568 }],
] as const
const SCHEMES = ['light', 'dark'] as const
const folder = process.env.SCREENSHOTS
if (folder) await mkdir(folder, { recursive: true })

/**
 * Looks at what is shown on every screen. With SCREENSHOTS set to a folder, what was seen is kept
 * there.
 */
export async function lookAt({ page }: Pick<Pilot, 'page'>, name: string): Promise<string[]> {
  const found: string[] = []
  for (const [screen, size] of SCREENS) {
    await page.setViewportSize(size)
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      const what = `${name}-${screen}-${colorScheme}`
      const wider = await overhang(page)
      if (wider > 0) found.push(`${what}: ${wider} px wider than the screen`)
      // Each layout and each scheme once.
      const isAsked = (screen === 'desk') === (colorScheme === 'light') && screen !== 'small'
      if (isAsked) found.push(...(await findingsOf(page)).map((each) => `${what}: ${each}`))
      if (folder && screen !== 'small') {
        await page.screenshot({ path: join(folder, `${what}.png`), fullPage: true })
      }
    }
  }
  await page.setViewportSize(SCREENS[0][1])
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}
