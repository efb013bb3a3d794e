import { html } from '#foundation/api/http/html'
import { pageResponse } from './style.js'

/** Returns a page with one message, such as that a link is no longer valid. */
export function messagePage(status: number, title: string, text: string) {
  const body = html`<main>
    <div class="card">
      <h1>${title}</h1>
      <p class="lead">${text}</p>
    </div>
  </main>`
  return pageResponse(status, title, body)
}
