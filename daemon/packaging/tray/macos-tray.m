/**
 * sallyport-tray: shows the icon, the menu and the notifications of Sallyport on macOS. The tray (`sallyport tray`) starts it, and speaks lines on
 * stdin and stdout, which daemon/src/tray/helper-protocol.ts describes. It ends when its stdin does.
 *
 * Build on macOS: clang -Os -fobjc-arc -framework Cocoa -framework UserNotifications -o sallyport-tray macos-tray.m
 * Notifications need a bundle with an identifier, such as Sallyport.app.
 */
#import <Cocoa/Cocoa.h>
#import <UserNotifications/UserNotifications.h>
#include <stdio.h>

static const NSInteger CHANNELS = 4;
static const NSInteger MAX_ICON = 64;
static const CGFloat POINTS = 18;

static void say(NSString *line) {
  fprintf(stdout, "%s\n", line.UTF8String);
  fflush(stdout);
}

/** The words of a line, with \n and \\ replaced. */
static NSArray<NSString *> *wordsOf(NSString *line) {
  NSMutableArray<NSString *> *words = [NSMutableArray array];
  for (NSString *part in [line componentsSeparatedByString:@"\t"]) {
    NSMutableString *word = [NSMutableString string];
    for (NSUInteger at = 0; at < part.length; at++) {
      unichar character = [part characterAtIndex:at];
      if (character == '\\' && at + 1 < part.length) {
        character = [part characterAtIndex:++at];
        if (character == 'n') character = '\n';
      }
      [word appendFormat:@"%C", character];
    }
    [words addObject:word];
  }
  return words;
}

/** An icon from hexadecimal red, green, blue and opacity; nil if the text is too short. */
static NSImage *iconOf(NSInteger size, NSString *hex) {
  if (size < 1 || size > MAX_ICON || hex.length < (NSUInteger)(size * size * CHANNELS * 2)) return nil;
  NSBitmapImageRep *bitmap = [[NSBitmapImageRep alloc] initWithBitmapDataPlanes:NULL
                                                                     pixelsWide:size
                                                                     pixelsHigh:size
                                                                  bitsPerSample:8
                                                                samplesPerPixel:CHANNELS
                                                                       hasAlpha:YES
                                                                       isPlanar:NO
                                                                 colorSpaceName:NSCalibratedRGBColorSpace
                                                                   bitmapFormat:NSBitmapFormatAlphaNonpremultiplied
                                                                    bytesPerRow:size * CHANNELS
                                                                   bitsPerPixel:8 * CHANNELS];
  const char *text = hex.UTF8String;
  for (NSInteger at = 0; at < size * size * CHANNELS; at++) {
    char digits[3] = {text[at * 2], text[at * 2 + 1], 0};
    bitmap.bitmapData[at] = (unsigned char)strtoul(digits, NULL, 16);
  }
  NSImage *image = [[NSImage alloc] initWithSize:NSMakeSize(POINTS, POINTS)];
  [image addRepresentation:bitmap];
  return image;
}

@interface SallyportTray : NSObject <NSApplicationDelegate, UNUserNotificationCenterDelegate>
@property(strong) NSStatusItem *item;
/** The menus that lines are added to, by depth, until the line "end". */
@property(strong) NSMutableArray<NSMenu *> *building;
@property(strong) UNUserNotificationCenter *center;
@end

@implementation SallyportTray

- (void)applicationDidFinishLaunching:(NSNotification *)notification {
  self.item = [NSStatusBar.systemStatusBar statusItemWithLength:NSSquareStatusItemLength];
  if (NSBundle.mainBundle.bundleIdentifier != nil) {
    self.center = UNUserNotificationCenter.currentNotificationCenter;
    self.center.delegate = self;
    [self.center requestAuthorizationWithOptions:UNAuthorizationOptionAlert
                               completionHandler:^(BOOL granted, NSError *error){
                               }];
  }
  [NSThread detachNewThreadSelector:@selector(readLines) toTarget:self withObject:nil];
  say(@"ready");
}

/** The lines of stdin, each to the main thread. */
- (void)readLines {
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, stdin) > 0) {
    NSString *text = [[NSString stringWithUTF8String:line] stringByTrimmingCharactersInSet:NSCharacterSet.newlineCharacterSet];
    if (text != nil) [self performSelectorOnMainThread:@selector(readLine:) withObject:text waitUntilDone:YES];
  }
  [self performSelectorOnMainThread:@selector(readLine:) withObject:@"quit" waitUntilDone:NO];
}

- (void)readLine:(NSString *)line {
  NSArray<NSString *> *words = wordsOf(line);
  NSString *name = words[0];
  if ([name isEqual:@"icon"] && words.count == 3) {
    NSImage *image = iconOf(words[1].integerValue, words[2]);
    if (image != nil) self.item.button.image = image;
  } else if ([name isEqual:@"tip"] && words.count == 2) {
    self.item.button.toolTip = words[1];
  } else if ([name isEqual:@"menu"]) {
    NSMenu *menu = [[NSMenu alloc] init];
    menu.autoenablesItems = NO;
    self.building = [NSMutableArray arrayWithObject:menu];
  } else if ([name isEqual:@"item"] && words.count == 5) {
    [self addItem:words[2].integerValue depth:(NSUInteger)words[1].integerValue flags:words[3] label:words[4]];
  } else if ([name isEqual:@"end"]) {
    self.item.menu = self.building.firstObject;
  } else if ([name isEqual:@"notify"] && words.count == 4) {
    [self notify:words[1] title:words[2] body:words[3]];
  } else if ([name isEqual:@"withdraw"] && words.count == 2) {
    [self.center removeDeliveredNotificationsWithIdentifiers:@[ words[1] ]];
  } else if ([name isEqual:@"quit"]) {
    [NSApp terminate:nil];
  }
}

- (void)addItem:(NSInteger)number depth:(NSUInteger)depth flags:(NSString *)flags label:(NSString *)label {
  if (depth >= self.building.count) return;
  NSMenu *parent = self.building[depth];
  if ([flags containsString:@"s"]) {
    [parent addItem:NSMenuItem.separatorItem];
    return;
  }
  NSMenuItem *item = [[NSMenuItem alloc] initWithTitle:label action:@selector(choose:) keyEquivalent:@""];
  item.target = self;
  item.tag = number;
  item.enabled = ![flags containsString:@"d"];
  item.state = [flags containsString:@"c"] ? NSControlStateValueOn : NSControlStateValueOff;
  if ([flags containsString:@"p"]) {
    NSMenu *children = [[NSMenu alloc] initWithTitle:label];
    children.autoenablesItems = NO;
    item.submenu = children;
    [self.building removeObjectsInRange:NSMakeRange(depth + 1, self.building.count - depth - 1)];
    [self.building addObject:children];
  }
  [parent addItem:item];
}

- (void)choose:(NSMenuItem *)item {
  say([NSString stringWithFormat:@"choice\t%ld", (long)item.tag]);
}

- (void)notify:(NSString *)key title:(NSString *)title body:(NSString *)body {
  UNMutableNotificationContent *content = [[UNMutableNotificationContent alloc] init];
  content.title = title;
  content.body = body;
  UNNotificationRequest *request = [UNNotificationRequest requestWithIdentifier:key content:content trigger:nil];
  [self.center addNotificationRequest:request withCompletionHandler:nil];
}

- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    didReceiveNotificationResponse:(UNNotificationResponse *)response
             withCompletionHandler:(void (^)(void))completionHandler {
  say([NSString stringWithFormat:@"notice\t%@", response.notification.request.identifier]);
  completionHandler();
}

@end

int main(void) {
  @autoreleasepool {
    NSApplication *application = NSApplication.sharedApplication;
    SallyportTray *tray = [[SallyportTray alloc] init];
    application.delegate = tray;
    application.activationPolicy = NSApplicationActivationPolicyAccessory;
    [application run];
  }
  return 0;
}
