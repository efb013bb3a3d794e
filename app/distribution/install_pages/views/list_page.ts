import { html, type Markup } from '#foundation/api/http/html'
import type { Instant } from '#foundation/core/clock'
import type { BuildDistroBuildEntity } from '../../entities.js'
import { hasEnded } from '../offer.js'
import { pageResponse } from './style.js'
import { sizeText, timeText, versionText } from './texts.js'

/** The filters of a list of builds. */
interface ListFilters {
  q?: string
  tag?: string
  branch?: string
}

/** The data of the list of a bucket's builds. */
interface ListPage {
  builds: readonly BuildDistroBuildEntity[]
  bucketName: string
  appName: string
  organizationName: string
  /** The tester whose installs are marked; null if the link is not personal. */
  testerId: string | null
  /** Path of the page of the newest build. */
  homePath: string
  filters: ListFilters
  now: Instant
  /** Cursor of the next page; null on the last. */
  nextCursor: string | null
}

const NOTES_SHOWN = 160

/** Renders a bucket's installable builds, with a search form. */
export function listPage(page: ListPage) {
  const { bucketName, appName, builds, homePath, filters, nextCursor } = page
  const path = `${homePath}/builds`
  const body = html`<main class="list">
      <div class="card">
        <h1>${appName}</h1>
        <p class="sub">${bucketName}</p>
        <form action="${path}" role="search">
          <label for="q">Search builds</label>
          <div class="row">
            <input
              id="q"
              name="q"
              type="search"
              maxlength="100"
              value="${filters.q}"
              placeholder="Version, branch, notes, tag"
            />
            <button class="button">Search</button>
          </div>
          ${hidden('tag', filters.tag)} ${hidden('branch', filters.branch)}
        </form>
        ${activeFilters(path, filters)}
        ${
          builds.length > 0
            ? html`<ul class="builds">
                ${builds.map((build) => row(page, path, build))}
              </ul>`
            : html`<p class="lead">
                ${isFiltered(filters) ? 'No build matches.' : 'There are no builds here yet.'}
              </p>`
        }
        ${nextCursor !== null && html`<a class="button quiet" href="${path}?${queryString({ ...filters, cursor: nextCursor })}">Older builds</a>`}
      </div>
    </main>
    <footer>${page.organizationName} · <a href="${homePath}">Newest build</a></footer>`
  return pageResponse(200, `Builds of ${appName}`, body)
}

const isFiltered = (filters: ListFilters) =>
  Object.values(filters).some((each) => each !== undefined)

const hidden = (name: string, value: string | undefined) =>
  value !== undefined && html`<input type="hidden" name="${name}" value="${value}" />`

/** Renders the active filters, each with a link that removes it. */
function activeFilters(path: string, filters: ListFilters): Markup | null {
  const entries = Object.entries(filters).filter(
    ([name, value]) => value !== undefined && name !== 'q'
  )
  if (entries.length === 0) return null
  const chips = entries.map(([name, value]) => {
    const others = queryString({ ...filters, [name]: undefined })
    const href = others === '' ? path : `${path}?${others}`
    return html`<li>
      <a class="chip" href="${href}"
        ><span class="unseen">Remove </span>${name}: ${value} <span aria-hidden="true">✕</span></a
      >
    </li>`
  })
  return html`<ul class="chips">
    ${chips}
  </ul>`
}

function row(
  { testerId, filters, now }: ListPage,
  path: string,
  build: BuildDistroBuildEntity
): Markup {
  const { id, testerNotes, tags, ciBuild, createdAt, fileSize, testers } = build
  const own = testers.find((tester) => tester.id === testerId)
  const notes = testerNotes?.trim() ?? ''
  const shortNotes =
    [...notes].length > NOTES_SHOWN ? `${[...notes].slice(0, NOTES_SHOWN).join('')}…` : notes
  const chip = (name: 'tag' | 'branch', value: string) =>
    html`<li>
      <a class="chip" href="${path}?${queryString({ ...filters, [name]: value })}">${value}</a>
    </li>`
  const branch = ciBuild?.branch
  return html`<li>
    <h2><a href="${path}/${id}">${versionText(build) ?? build.artifactFileName}</a></h2>
    <p class="sub">
      <time datetime="${createdAt}">${timeText(createdAt)}</time> · ${sizeText(fileSize)}
    </p>
    ${hasEnded(build, now) && html`<p class="brief">Its provisioning profile has expired.</p>`}
    ${shortNotes !== '' && html`<p class="brief">${shortNotes}</p>`}
    ${own?.installedAt && html`<p class="mine">✓ You installed it on ${timeText(own.installedAt)}</p>`}
    ${
      (tags.length > 0 || branch) &&
      html`<ul class="chips">
        ${branch && chip('branch', branch)} ${tags.map((tag) => chip('tag', tag))}
      </ul>`
    }
  </li>`
}

function queryString(values: Record<string, string | undefined>): string {
  const entries = Object.entries(values).filter((entry): entry is [string, string] =>
    Boolean(entry[1])
  )
  return new URLSearchParams(entries).toString()
}
