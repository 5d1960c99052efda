/** Runs in the browser: shows code in several languages as tabs, and searches. Without it every text is there, one below the other. */

const root = new URL(document.body.dataset.root || './', location.href)
const CHOSEN = 'sallyport-language'

/** The language that the reader chose last; storage may be refused, for example for files. */
function chosenLanguage() {
  try {
    return localStorage.getItem(CHOSEN)
  } catch {
    return null
  }
}

function keepLanguage(language) {
  try {
    localStorage.setItem(CHOSEN, language)
  } catch {
    // The choice then holds for this page alone.
  }
}

/** Shows the language in every group that has it. */
function show(language) {
  for (const group of document.querySelectorAll('.samples')) {
    const tabs = [...group.querySelectorAll('[role=tab]')]
    if (!tabs.some((tab) => tab.textContent === language)) continue
    for (const tab of tabs) {
      const isChosen = tab.textContent === language
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !isChosen
    }
  }
}

/** Shows the language; the tab that was used stays where it is on the screen, although groups above it change their height. */
function choose(tab) {
  const before = tab.getBoundingClientRect().top
  keepLanguage(tab.textContent)
  show(tab.textContent)
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
}

/** Where an arrow leads in a row of `count` tabs. */
const STEPS = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

function makeTabs(group, number) {
  const samples = [...group.querySelectorAll('.sample')]
  const list = document.createElement('div')
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  const tabs = samples.map((sample, index) => {
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.setAttribute('role', 'tab')
    tab.id = `tab-${number}-${index}`
    tab.textContent = sample.dataset.language
    sample.id = `sample-${number}-${index}`
    sample.setAttribute('role', 'tabpanel')
    sample.setAttribute('aria-labelledby', tab.id)
    tab.setAttribute('aria-controls', sample.id)
    tab.addEventListener('click', () => choose(tab))
    return tab
  })
  list.append(...tabs)
  list.addEventListener('keydown', (event) => {
    const step = STEPS[event.key]
    const from = tabs.indexOf(event.target)
    if (step === undefined || from === -1) return
    event.preventDefault()
    const tab = tabs[step(from, tabs.length)]
    tab.focus()
    choose(tab)
  })
  group.prepend(list)
  group.classList.add('tabbed')
  return samples[0].dataset.language
}

/** The place in the address is looked for again, because tabs change the height of the page. */
function startTabs() {
  const firsts = [...document.querySelectorAll('.samples')].map(makeTabs)
  if (firsts.length === 0) return
  show(firsts[0])
  const chosen = chosenLanguage()
  if (chosen !== null) show(chosen)
  if (location.hash !== '') document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
}

const MOST_PAGES = 8
const MOST_PLACES = 4

/** A row of the results. The excerpt marks the words with <mark>, and has every other sign escaped. */
function row(title, url, excerpt) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = url
  link.textContent = title
  const text = document.createElement('p')
  text.innerHTML = excerpt
  item.append(link, text)
  return item
}

/** A page with the places in it that have the words. A place with the very word as its heading comes first. */
function rowsOf({ url, meta, excerpt, sub_results: places }, words) {
  const page = row(meta.title, url, excerpt)
  const isNamed = ({ title }) => title.toLowerCase() === words
  const below = places
    .filter((place) => place.title !== meta.title)
    .sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
    .slice(0, MOST_PLACES)
  if (below.length > 0) {
    const list = document.createElement('ol')
    list.append(...below.map((place) => row(place.title, place.url, place.excerpt)))
    page.append(list)
  }
  return { page, isNamed: places.some(isNamed) }
}

function startSearch() {
  const form = document.querySelector('form[role=search]')
  const input = form.querySelector('input')
  const found = document.getElementById('found')
  const status = found.querySelector('[role=status]')
  const list = found.querySelector('ol')
  let engine
  const load = async () => {
    const pagefind = await import(new URL('pagefind/pagefind.js', root).href)
    await pagefind.options({ baseUrl: root.pathname, excerptLength: 20 })
    await pagefind.init()
    return pagefind
  }
  const close = () => {
    found.hidden = true
    list.replaceChildren()
  }
  const search = async () => {
    const words = input.value.trim()
    if (words === '') return close()
    try {
      engine ??= load()
      const answer = await (await engine).debouncedSearch(words, {}, 150)
      // A newer text is searched already.
      if (answer === null || input.value.trim() !== words) return
      const pages = await Promise.all(answer.results.slice(0, MOST_PAGES).map((result) => result.data()))
      if (input.value.trim() !== words) return
      const rows = pages.map((page) => rowsOf(page, words.toLowerCase()))
      list.replaceChildren(...rows.sort((a, b) => Number(b.isNamed) - Number(a.isNamed)).map(({ page }) => page))
      status.textContent = `${answer.results.length} ${answer.results.length === 1 ? 'page has' : 'pages have'} “${words}”`
    } catch (error) {
      engine = undefined
      status.textContent = `The search could not be loaded: ${error.message}`
    }
    found.hidden = false
  }
  input.addEventListener('input', () => void search())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.focus()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !found.hidden) {
      close()
      input.focus()
    } else if (event.key === '/' && !event.target.closest('input, button, [contenteditable]')) {
      event.preventDefault()
      input.focus()
    }
  })
  // A place on the same page is behind the results.
  list.addEventListener('click', (event) => event.target.closest('a') !== null && close())
  form.hidden = false
}

/** Scrolls the lists, not the page, to the current one. */
function showCurrent() {
  const lists = document.querySelector('nav')
  const current = lists.querySelector('[aria-current=page]')
  if (current !== null) lists.scrollTop = current.offsetTop - lists.clientHeight / 2
}

// On a narrow screen the lists would stand before the text.
if (matchMedia('(max-width: 60rem)').matches) document.querySelector('nav details.all').open = false
showCurrent()
startTabs()
startSearch()
