/*
 * With script, pages poll while they are visible, update relative times and take keyboard
 * shortcuts. Everything else works without it.
 */
;(() => {
  const live = () => document.querySelector('[data-live]')
  const isPoll = (event) => event.detail?.ctx?.sourceElement?.hasAttribute?.('data-live')

  // A hidden tab does not poll. Shown again, it polls at once.
  let missed = false
  document.addEventListener('htmx:before:request', (event) => {
    if (!isPoll(event) || !document.hidden) return
    missed = true
    event.preventDefault()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || !missed) return
    missed = false
    live()?.dispatchEvent(new Event('look'))
  })

  // A failed poll leaves the page as it is, and says since when it is not live.
  const tell = (element, text) => {
    if (element && element.textContent !== text) element.textContent = text
  }
  const clock = () => new Date().toTimeString().slice(0, 5)
  let since = null
  const stale = (event) => {
    const status = event.detail?.ctx?.response?.status
    if (!isPoll(event) || (status && status < 400)) return
    since ??= clock()
    const why = status === 401 ? 'You are signed out' : 'Trying again'
    document.querySelector('.live')?.classList.add('off')
    tell(document.querySelector('.live span'), `Not live since ${since}. ${why}.`)
  }
  document.addEventListener('htmx:error', stale)
  document.addEventListener('htmx:response:error', stale)
  document.addEventListener('htmx:after:request', (event) => {
    const status = event.detail?.ctx?.response?.status
    if (!isPoll(event) || !status || status >= 400 || since === null) return
    since = null
    document.querySelector('.live')?.classList.remove('off')
    tell(document.querySelector('.live span'), 'Live')
  })

  // A poll that was sent before a form was answered is stale: its response is dropped.
  let answered = 0
  document.addEventListener('htmx:before:request', (event) => {
    if (isPoll(event)) event.detail.ctx.sent = performance.now()
  })
  document.addEventListener('htmx:before:swap', (event) => {
    if (!isPoll(event)) answered = performance.now()
    else if (event.detail.ctx.sent < answered) event.preventDefault()
  })

  // The sentence that a form left stays for a minute, though polls do not include it.
  const MINUTE = 60_000
  let said
  const note = () =>
    (said = { element: document.getElementById('said'), until: Date.now() + MINUTE })
  const sayOn = () => {
    if (!said.element || document.getElementById('said') || Date.now() > said.until) return
    live()?.prepend(said.element)
  }
  note()

  // A swap keeps the focus on its element, else on its row of a list, else on the heading of its
  // region. A poll also keeps unfolded details open, with what is half typed in them.
  let held = null
  let unfolded = new Set()
  const nameOf = (summary) => summary.id || summary.textContent.trim()
  // Noted before the swap: afterwards the source may be gone, and the event is the whole page's.
  let isPolled = false
  document.addEventListener('htmx:before:swap', (event) => {
    isPolled = isPoll(event)
    const open = isPolled ? document.querySelectorAll('#live details[open] > summary') : []
    unfolded = new Set([...open].map(nameOf))
    const { activeElement } = document
    const region = activeElement?.closest('[aria-labelledby]')?.getAttribute('aria-labelledby')
    const row = activeElement?.closest('#live li[id]')?.id
    held = activeElement && activeElement !== document.body && { id: activeElement.id, row, region }
  })
  const keepPlace = () => {
    if (!held || (document.activeElement && document.activeElement !== document.body)) return
    const [own, ...around] = [held.id, held.row, held.region].map(
      (id) => id && document.getElementById(id)
    )
    const place = own || around.find(Boolean)
    if (place && place !== own) place.tabIndex = -1
    place?.focus({ preventScroll: true })
  }

  // What becomes of a stop is read out at once, also if a poll brings it.
  const stopText = () =>
    document.querySelector('.acts .red:is(.busy, .done)')?.textContent.trim() ?? ''
  let stop = stopText()
  const tellStop = () => {
    if (stopText() === stop) return
    stop = stopText()
    tell(document.getElementById('assertive'), stop)
  }

  // A sentence that appears is read out, and a refusal gets the focus.
  document.addEventListener('htmx:after:swap', () => {
    times()
    for (const summary of document.querySelectorAll('#live details > summary'))
      if (unfolded.has(nameOf(summary))) summary.parentElement.open = true
    keepPlace()
    tellStop()
    if (isPolled) return sayOn()
    note()
    tell(
      document.getElementById('polite'),
      document.getElementById('said')?.textContent.trim() ?? ''
    )
    document.getElementById('refusal')?.focus()
  })

  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' })
  function times() {
    for (const each of document.querySelectorAll('time[data-in]')) {
      const minutes = Math.round((new Date(each.dateTime) - Date.now()) / 60_000)
      const hours = Math.abs(minutes) >= 90
      const [count, unit] = hours ? [Math.round(minutes / 60), 'hour'] : [minutes, 'minute']
      if (Math.abs(minutes) < 24 * 60) tell(each, relative.format(count, unit))
    }
  }
  setInterval(times, MINUTE)

  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('[data-copy]')
    if (!button) return
    const field = document.getElementById(button.dataset.copy)
    navigator.clipboard.writeText(field.value ?? field.textContent)
    tell(button.querySelector('span'), 'Copied')
  })

  // A link to a line of a text field selects that line.
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[data-line]')
    const field = link && document.querySelector(link.hash)
    if (!field) return
    event.preventDefault()
    const before = field.value.split('\n').slice(0, link.dataset.line - 1)
    const at = before.reduce((sum, line) => sum + line.length + 1, 0)
    const ends = field.value.indexOf('\n', at)
    field.focus()
    field.setSelectionRange(
      at - 1 + Number(link.dataset.column),
      ends < 0 ? field.value.length : ends
    )
    field.scrollTop = before.length * Number.parseFloat(getComputedStyle(field).lineHeight) - 40
    field.scrollIntoView({ block: 'nearest' })
  })

  // Keyboard shortcuts can be turned off in this browser. Without storage they stay on.
  const KEYS = 'tarmac-keys'
  const areOff = () => {
    try {
      return localStorage.getItem(KEYS) === 'off'
    } catch {
      return false
    }
  }
  const choice = document.getElementById('keys')
  if (choice) {
    choice.checked = !areOff()
    choice.closest('[hidden]').hidden = false
    choice.onchange = () => localStorage.setItem(KEYS, choice.checked ? 'on' : 'off')
  }

  // Keys: j and k move between rows, g leads to places, brackets lead to steps, and a leads to what
  // waits for the reader. None presses a button.
  let before = ''
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
    if (isTyping || areOff() || event.ctrlKey || event.metaKey || event.altKey) return
    const go = document.querySelector(`[data-key="${CSS.escape((before + event.key).trim())}"]`)
    before = event.key === 'g' ? 'g ' : ''
    if (go) {
      event.preventDefault()
      return go.matches('input') ? go.focus() : go.click()
    }
    if (event.key === 'a') {
      const row = document.querySelector('.check > li:has(.you) button')
      return (row ?? document.querySelector('.c2 section:has(.you) .formend .btn'))?.focus()
    }
    if (event.key !== 'j' && event.key !== 'k') return
    const rows = [...document.querySelectorAll('.cover')]
    const next = rows.indexOf(document.activeElement) + (event.key === 'j' ? 1 : -1)
    rows[Math.max(0, Math.min(next, rows.length - 1))]?.focus()
  })

  // Notes the reader's time zone for the next page.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  document.cookie = `tarmac-zone=${timeZone}; path=/; max-age=31536000; samesite=lax`
  const zone = document.querySelector('input[name=timeZone]')
  if (zone) zone.value = timeZone
})()
