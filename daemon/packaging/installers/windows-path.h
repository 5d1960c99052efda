/** The search path of the user, as the setup and its uninstaller change it. */
#ifndef WINDOWS_PATH_H
#define WINDOWS_PATH_H

/** Puts a folder at the end of the user's PATH, or takes it out. 0 if PATH is then as wanted; otherwise it stays as it was. */
int change_user_path(const wchar_t *folder, int is_wanted);

#endif
