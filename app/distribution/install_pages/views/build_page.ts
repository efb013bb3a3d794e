import { html, type Markup } from '#foundation/api/http/html'
import type { BuildDistroBuildEntity } from '../../entities.js'
import { daysLeft, endOf, isOver } from '../offer.js'
import { offerPart } from './offer_part.js'
import type { BuildPage } from './page_data.js'
import { pageResponse } from './style.js'
import { daysText, profileText, requiresText, sizeText, timeText, versionText } from './texts.js'

/** Returns the page of a build: its facts, and the one action that is possible. */
export function buildPage(page: BuildPage) {
  const { build, offer, appName, device } = page
  const isScanned = offer === 'elsewhere' && device.system === 'other'
  const version = versionText(build)
  const body = html`<main class="${isScanned && 'wide'}">
      <div class="card ${isScanned && 'split'}">
        <div>
          ${head(page)} ${!isOver(offer) && warning(page)} ${!isScanned && offerPart(page)}
          ${notes(build)} ${facts(page)} ${help(page)} ${isScanned && downloadLink(page)}
        </div>
        ${isScanned && offerPart(page)}
      </div>
      ${others(page)}
    </main>
    ${footer(page)}`
  const title = [isOver(offer) ? 'Expired:' : 'Install', appName, version].filter(Boolean).join(' ')
  return pageResponse(isOver(offer) ? 410 : 200, title, body)
}

function head({ appName, build, addresses }: BuildPage): Markup {
  const version = versionText(build)
  return html`<div class="head">
    <img class="icon" src="${new URL(addresses.icon).pathname}" alt="" width="72" height="72" />
    <div>
      <h1>${appName}</h1>
      ${version !== null && html`<p class="sub">${version}</p>`}
    </div>
  </div>`
}

function warning({ build, now }: BuildPage): Markup | null {
  const days = daysLeft(build, now)
  if (days === null) return null
  const { at, by } = endOf(build)!
  const why = by === 'profile' ? 'Its provisioning profile expires' : 'It can be installed until'
  return html`<p class="warn"><strong>Expires ${daysText(days)}.</strong> ${why} ${time(at)}.</p>`
}

function notes({ testerNotes }: BuildDistroBuildEntity): Markup | null {
  if (testerNotes === null || testerNotes.trim() === '') return null
  return html`<section class="notes">
    <h2>What to test</h2>
    <p>${testerNotes}</p>
  </section>`
}

function facts({ build, offer }: BuildPage): Markup {
  const { metadata } = build
  const end = endOf(build)
  const entries: [string, Markup | string | null][] = [
    ['Added', time(build.createdAt)],
    ['Size', sizeText(build.fileSize)],
    ['Requires', metadata && requiresText(metadata)],
    ['Devices', metadata && profileText(metadata)],
    ['Branch', build.ciBuild?.branch ?? null],
    [isOver(offer) ? 'Expired' : 'Expires', end && time(end.at)],
  ]
  const shown = entries.map(
    ([name, value]) =>
      value !== null &&
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`
  )
  return html`<dl>${shown}</dl>`
}

/** Returns the most common obstacles to an installation. */
function help({ build: { metadata }, offer, devicePath }: BuildPage): Markup | null {
  if (metadata === null || (offer !== 'install' && offer !== 'download')) return null
  const { profile } = metadata
  const requires = requiresText(metadata)
  const tips =
    offer === 'install'
      ? [
          profile &&
            profile.deviceCount !== null &&
            html`Your device has to be among those in the profile of the build.
              <a href="${devicePath}">Register it</a>, and ask for a new build.`,
          profile?.getTaskAllow &&
            'Turn on Developer Mode: Settings › Privacy & Security › Developer Mode.',
          profile?.type === 'enterprise' &&
            'Trust the developer: Settings › General › VPN & Device Management.',
          'Remove a version of the app that came from somewhere else.',
        ]
      : [
          'Allow your browser to install: Settings › Apps › Special app access › Install unknown apps.',
          'Remove a version of the app that came from Google Play: it is signed with another key.',
        ]
  const all = [requires !== null && `Your device needs ${requires}.`, ...tips].filter(Boolean)
  return html`<details>
    <summary>It does not install?</summary>
    <ul>
      ${all.map((tip) => html`<li>${tip}</li>`)}
    </ul>
  </details>`
}

function others({ listPath, build }: BuildPage): Markup | null {
  if (listPath === null) return null
  return html`<p class="others"><a href="${listPath}">All builds in ${build.bucketName}</a></p>`
}

function downloadLink({ build, addresses }: BuildPage): Markup {
  return html`<a class="button quiet" href="${addresses.package}"
    >Download ${build.artifactFileName}</a
  >`
}

function footer({ organizationName, build, testerName }: BuildPage): Markup {
  const whose =
    testerName !== null &&
    html`<br />This link is for ${testerName}. Installs by it count as theirs.`
  return html`<footer>${organizationName} · ${build.bucketName}${whose}</footer>`
}

const time = (instant: string) => html`<time datetime="${instant}">${timeText(instant)}</time>`
