import type { PageCall } from './page.js'

/** Returns how many things wait for the reader. */
export async function turnCountOf(_: PageCall): Promise<number> {
  return 0
}
